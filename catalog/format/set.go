package format

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/frontmatter"
)

// Values are new values of an entry's fields. A nil value means that the field stays.
type Values struct {
	Body, Description *string
	// Globs are relative to the top of the repository. An empty list removes the field.
	Globs *[]string
	Load  *catalog.LoadMode
}

// ErrSet means that a field cannot be set without other changes to the file. The error
// that wraps it names the field.
var ErrSet = errors.New("the file of its entry is written in a way in which it cannot be set alone")

// Set returns the text of an entry's file with new values of its fields. All other bytes
// stay the same. The caller must decode the result to see whether the file still has all
// of its other values. The error wraps [ErrSet], or says that the file is not an entry.
func Set(f File, v Values) ([]byte, error) {
	e := Decode(f).Entry
	if e == nil {
		return nil, errors.New("the file of its entry cannot be read")
	}
	s := setter{File: f, entry: e, original: document{File: f}}
	if problem := s.original.parse(); problem != nil {
		return nil, errors.New(problem.Message)
	}
	if v.Body != nil {
		if err := s.setBody(*v.Body); err != nil {
			return nil, err
		}
	}
	if v.Description != nil {
		if err := s.set(s.nameOf("semanticSummary", "description"), *v.Description); err != nil {
			return nil, err
		}
	}
	if err := s.setLoad(v); err != nil {
		return nil, err
	}
	return s.Data, nil
}

// setter changes the data of a file.
type setter struct {
	File
	entry    *catalog.Entry
	original document
}

func unset(name string) error { return fmt.Errorf("%s: %w", name, ErrSet) }

// nameOf returns the name to use in the file for the field of the contract called name.
// If a Markdown file lacks name, that is the first of others that it has or that its
// agent reads, else name.
func (s *setter) nameOf(name string, others ...string) string {
	if s.original.form != markdownForm || s.original.indexOf(name) >= 0 {
		return name
	}
	for _, other := range others {
		if s.original.indexOf(other) >= 0 || s.Place != nil && slices.Contains(s.Place.Reads(), other) {
			return other
		}
	}
	return name
}

func (s *setter) setBody(body string) error {
	if s.original.form == jsonForm {
		s.Data = setInJSON(s.Data, written{"body", body})
		return nil
	}
	front, ok := bytes.CutSuffix(s.Data, []byte(s.entry.Body.Text()))
	if !ok {
		return unset("body")
	}
	s.Data = append(bytes.Clone(front), body...)
	return nil
}

// setLoad sets the globs and the load. An entry that has globs but no load is loaded by
// its globs.
func (s *setter) setLoad(v Values) error {
	if v.Globs != nil {
		if err := s.setGlobs(*v.Globs); err != nil {
			return err
		}
	}
	switch {
	case v.Load == nil:
		return nil
	case s.Place != nil:
		return unset("load")
	case s.original.indexOf("load") >= 0, *v.Load != catalog.LoadGlob && *v.Load != catalog.LoadAlways:
		return s.set("load", string(*v.Load))
	}
	return nil // the load follows from the globs
}

func (s *setter) setGlobs(globs []string) error {
	name := s.nameOf("appliesTo", globFields...)
	if s.Place != nil && !slices.Contains(s.Place.Reads(), name) {
		return unset("appliesTo")
	}
	spelt := make([]string, len(globs))
	for i, g := range globs {
		var ok bool
		if spelt[i], ok = s.spelling(g); !ok {
			return unset(name)
		}
	}
	at := s.original.indexOf(name)
	switch {
	case len(spelt) == 0:
		return s.remove(name)
	case at >= 0 && s.original.fields[at].value.kind == text, at < 0 && name == "applyTo", s.Place != nil && !s.Place.ReadsYAML():
		return s.set(name, strings.Join(spelt, ","))
	}
	return s.set(name, spelt)
}

// spelling returns a glob as the file spells it if the file already has it, else
// relative to the file's folder. It returns false if the glob is for other folders.
func (s *setter) spelling(g string) (string, bool) {
	own := s.entry.Instruction().AppliesTo
	if scope := s.entry.Origin.Scope; scope != nil && len(scope.Globs) == len(own) {
		if i := slices.Index(scope.Globs, g); i >= 0 {
			return own[i], true
		}
	}
	if s.Place == nil || s.Place.Folder == "." {
		return g, true
	}
	return strings.CutPrefix(g, s.Place.Folder+"/")
}

// set sets a field to a text or a list of texts.
func (s *setter) set(name string, value any) error {
	var changed []byte
	switch {
	case s.original.form == jsonForm:
		changed = setInJSON(s.Data, written{name, value})
	case isTOML(files.TrimByteOrderMark(s.Data)):
		changed = setInMarkdown(s.Data, written{name, value})
	default:
		changed = s.setInFront(name, value)
	}
	if changed == nil {
		return unset(name)
	}
	s.Data = changed
	return nil
}

// setInFront returns the data with a field of its front matter set, or nil if that is not
// possible.
func (s *setter) setInFront(name string, value any) []byte {
	begin := len(s.Data) - len(files.TrimByteOrderMark(s.Data))
	front, body, found := frontmatter.Cut(s.Data[begin:])
	if !found || !beginsWithFields(s.Data[begin:]) {
		return setInMarkdown(s.Data, written{name, value})
	}
	byLine := s.Place != nil && !s.Place.ReadsYAML() || s.original.broken
	fence, _ := frontmatter.CutLine(s.Data[begin:])
	newline := lineEnd(string(fence))
	var err error
	switch value := value.(type) {
	case []string:
		front, err = frontmatter.SetList(front, newline, name, value)
	case string:
		if byLine && isPlain(value) {
			front, err = setLine(front, newline, name, value)
		} else {
			front, err = frontmatter.SetText(front, newline, name, value)
		}
	}
	if err != nil {
		return nil
	}
	return s.withFront(begin, front, body)
}

// withFront returns the data with its front matter replaced by front.
func (s *setter) withFront(begin int, front, body []byte) []byte {
	fence, _ := frontmatter.CutLine(s.Data[begin:])
	old, _, _ := frontmatter.Cut(s.Data[begin:])
	end := s.Data[begin+len(fence)+len(old) : len(s.Data)-len(body)]
	return slices.Concat(s.Data[:begin], fence, front, end, body)
}

// isPlain reports whether a text can be written without quotes for a reader that uses
// the rest of the line as the value.
func isPlain(text string) bool {
	return text == strings.TrimSpace(text) && !strings.ContainsAny(text, "\r\n\"'") && !strings.Contains(text, " #")
}

// setLine replaces the line that sets a field, or adds one. It returns an error if the
// field is set twice or its value has several lines.
func setLine(front []byte, newline, name, text string) ([]byte, error) {
	line := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + `:[^\r\n]*`)
	found := line.FindAllIndex(front, -1)
	if len(found) > 1 {
		return nil, ErrSet
	}
	if len(found) == 0 {
		return append(bytes.Clone(front), name+": "+text+newline...), nil
	}
	if rest := bytes.TrimLeft(front[found[0][1]:], "\r\n"); len(rest) > 0 && (rest[0] == ' ' || rest[0] == '-') {
		return nil, ErrSet
	}
	return splice(front, found[0][0], found[0][1], name+": "+text), nil
}

// remove removes a field of front matter if the file has it.
func (s *setter) remove(name string) error {
	if s.original.indexOf(name) < 0 {
		return nil
	}
	begin := len(s.Data) - len(files.TrimByteOrderMark(s.Data))
	front, body, _ := frontmatter.Cut(s.Data[begin:])
	if s.original.form == jsonForm || front == nil {
		return unset(name)
	}
	front, err := frontmatter.Unset(front, name)
	if err != nil {
		return unset(name)
	}
	s.Data = s.withFront(begin, front, body)
	return nil
}
