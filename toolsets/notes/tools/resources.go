package tools

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

// resources offers the notes as resources, each with the whole text of its file. They
// are not listed, because a vault may have thousands.
type resources struct{ *toolset }

var _ rpc.Resources = resources{}

// scheme is the beginning of the URI of a note.
const scheme = "note://"

// Templates implements [rpc.Resources].
func (r resources) Templates() []rpc.Template {
	return []rpc.Template{{
		URI: scheme + "{+id}", Name: "note", Title: "Note", MIMEType: "text/markdown",
		Description: "A note by its ID: its file, front matter included.",
		Variable:    "id", Complete: r.complete,
	}}
}

// Read returns the file of a note. The id in the URI must match exactly, because changes
// to a note are reported only for its own URIs.
func (r resources) Read(ctx context.Context, uri string) (rpc.Content, error) {
	s, err := r.snapshot(ctx)
	if err != nil {
		return rpc.Content{}, err
	}
	encoded, _ := strings.CutPrefix(uri, scheme)
	id, err := url.PathUnescape(encoded)
	if err != nil || encoded == uri {
		return rpc.Content{}, rpc.ErrNoResource
	}
	if n, err := s.Find(id); err == nil && n != nil && string(n.ID) == id {
		return rpc.Content{URI: uri, MIMEType: "text/markdown", Text: n.Text()}, nil
	}
	if err := s.CheckRead(id); err != nil {
		return rpc.Content{}, r.explain("resources/read", err)
	}
	var missing rpc.NoResource
	for _, id := range s.Nearest(id) {
		missing.Nearest = append(missing.Nearest, uriOf(notes.ID(id)))
	}
	return rpc.Content{}, missing
}

// snapshot returns the current notes within the time limit of a call.
func (r resources) snapshot(ctx context.Context) (*notes.Snapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	s, err := r.Vault.Snapshot(ctx)
	return s, r.explain("resources/read", err)
}

// complete suggests the ids whose path or file name begins with the typed text, ignoring
// case.
func (r resources) complete(ctx context.Context, typed string) (fit rpc.Completion, err error) {
	s, err := r.snapshot(ctx)
	if err != nil {
		return fit, err
	}
	typed = notes.Key(typed)
	for _, n := range s.Notes() {
		if !strings.HasPrefix(notes.Key(string(n.ID)), typed) && !strings.HasPrefix(notes.Key(n.ID.Name()), typed) {
			continue
		}
		if fit.Total++; len(fit.Values) < rpc.MaxCompletions {
			fit.Values = append(fit.Values, string(n.ID))
		}
	}
	return fit, nil
}

// uriOf returns the URI of a note.
func uriOf(id notes.ID) string { return scheme + escape(string(id), "/") }

// unescaped lists, for each common way to encode a URI, the characters besides letters,
// digits and "-._~" that it leaves as they are: a path, RFC 6570's {id} and {+id},
// encodeURIComponent of the id and of each segment, encodeURI, and url.PathEscape of
// each segment.
var unescaped = []string{"/", "", ":/?#[]@!$&'()*+,;=", "!'()*", "/!'()*", ";,/?:@&=+$#!'()*", "/$&+=:@"}

// urisOf returns the URIs by which clients may have subscribed to a note.
func urisOf(id notes.ID) []string {
	var uris []string
	for _, keep := range unescaped {
		uris = append(uris, scheme+escape(string(id), keep))
	}
	slices.Sort(uris)
	return slices.Compact(uris)
}

// escape percent-encodes all but letters, digits, "-._~" and the bytes in keep.
func escape(text, keep string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~"+keep, c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
