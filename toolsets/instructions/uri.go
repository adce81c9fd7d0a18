package instructions

import (
	"net/url"
	"strings"

	"instruction-catalog/catalog"
)

// Parts of resource URIs (RFC 3986). The part after the scheme may be percent-encoded.
const (
	instructionScheme = "instruction"
	skillScheme       = "skill"

	indexURI  = "instruction://index"
	skillFile = "SKILL.md"
)

// instructionURI returns the URI of an entry. Ids need no encoding, except that the id
// "index" is percent-encoded to distinguish it from the table of contents.
func instructionURI(id catalog.ID) string {
	if uri := instructionScheme + "://" + string(id); uri != indexURI {
		return uri
	}
	return instructionScheme + "://%69ndex"
}

// instructionID returns the decoded id in a URI. ok is false if uri is not an
// instruction URI.
func instructionID(uri string) (id string, ok bool) {
	rest, ok := below(instructionScheme, uri)
	if !ok {
		return "", false
	}
	id, err := url.PathUnescape(rest)
	return id, err == nil && id != ""
}

// find returns the entry with the given id. The id may also be spelled as in its file,
// or be the URI of the entry.
func find(s *catalog.Snapshot, id string) (*catalog.Entry, bool) {
	if e, ok := s.Get(id); ok {
		return e, true
	}
	named, ok := instructionID(id)
	if !ok {
		return nil, false
	}
	return s.Get(named)
}

func skillURI(name string) string { return skillFileURI(name, skillFile) }

// skillFileURI returns the URI of a skill's file. file is its path in the skill's
// folder.
func skillFileURI(name, file string) string {
	var uri strings.Builder
	uri.WriteString(skillScheme + "://" + name)
	for part := range strings.SplitSeq(file, "/") {
		uri.WriteString("/" + url.PathEscape(part))
	}
	return uri.String()
}

// skillNamed returns the skill name and the file path in a skill URI.
func skillNamed(uri string) (name, file string, ok bool) {
	rest, ok := below(skillScheme, uri)
	if !ok {
		return "", "", false
	}
	rest, err := url.PathUnescape(rest)
	name, file, ok = strings.Cut(rest, "/")
	return name, file, ok && err == nil && name != "" && file != ""
}

// below returns the part of uri after scheme. ok is false if uri has another scheme.
func below(scheme, uri string) (rest string, ok bool) {
	found, rest, ok := strings.Cut(uri, "://")
	return rest, ok && found == scheme
}
