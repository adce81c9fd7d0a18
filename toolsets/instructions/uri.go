package instructions

import (
	"net/url"
	"strings"

	"instruction-catalog/catalog"
)

// The URIs under which agents read (RFC 3986). What follows the scheme may be
// percent-encoded.
const (
	instructionScheme = "instruction"
	skillScheme       = "skill"

	indexURI  = "instruction://index"
	skillFile = "SKILL.md"
)

// instructionURI is the URI of an entry. Nothing in an id needs to be encoded;
// but an entry may be called index, and then its URI has to differ from that of
// the table of contents.
func instructionURI(id catalog.ID) string {
	if uri := instructionScheme + "://" + string(id); uri != indexURI {
		return uri
	}
	return instructionScheme + "://%69ndex"
}

// instructionID returns the id that a URI asks for, in whatever spelling.
func instructionID(uri string) (id string, ok bool) {
	rest, ok := below(instructionScheme, uri)
	if !ok {
		return "", false
	}
	id, err := url.PathUnescape(rest)
	return id, err == nil && id != ""
}

// find returns the entry of an id, in the spelling of its file or as its URI,
// too.
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

// skillFileURI is the URI of a file of a skill, by its path in the skill's folder.
func skillFileURI(name, file string) string {
	var uri strings.Builder
	uri.WriteString(skillScheme + "://" + name)
	for part := range strings.SplitSeq(file, "/") {
		uri.WriteString("/" + url.PathEscape(part))
	}
	return uri.String()
}

// skillNamed returns the name of a skill and the path of its file that a URI asks
// for.
func skillNamed(uri string) (name, file string, ok bool) {
	rest, ok := below(skillScheme, uri)
	if !ok {
		return "", "", false
	}
	rest, err := url.PathUnescape(rest)
	name, file, ok = strings.Cut(rest, "/")
	return name, file, ok && err == nil && name != "" && file != ""
}

// below returns what follows the scheme.
func below(scheme, uri string) (rest string, ok bool) {
	found, rest, ok := strings.Cut(uri, "://")
	return rest, ok && found == scheme
}
