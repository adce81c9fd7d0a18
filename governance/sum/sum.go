package sum

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"instruction-catalog/catalog"
)

// Sum is the content of catalog.sum: a line for each entry, and for each of the files
// gates.json and PROMPT-CRITERIA.json that exists. Lines are sorted by name in byte order,
// and names are unique.
type Sum []Line

// Line is the hash of an entry or of a file.
type Line struct {
	Name string // the id of the entry, or [catalog.GatesFile] or [catalog.CriteriaFile]
	Hash catalog.Fingerprint
}

// String returns the line as it is written in the file, without the newline.
func (l Line) String() string { return l.Name + " " + string(l.Hash) }

func compareNames(a, b Line) int { return strings.Compare(a.Name, b.Name) }

// isFile reports whether a line with this name is for a file.
func isFile(name string) bool { return name == catalog.GatesFile || name == catalog.CriteriaFile }

// Of returns the sum of a snapshot and of files, given by name. It ignores files with nil
// content.
func Of(s *catalog.Snapshot, files map[string][]byte) Sum {
	sum := make(Sum, 0, len(s.Entries())+len(files))
	for _, e := range s.Entries() {
		sum = append(sum, Line{string(e.ID), Hash(e)})
	}
	for name, content := range files {
		if content != nil {
			sum = append(sum, Line{name, FileHash(content)})
		}
	}
	slices.SortFunc(sum, compareNames)
	return sum
}

// Bytes returns the content of the file: NAME HASH and a newline for each line.
func (s Sum) Bytes() []byte {
	var text bytes.Buffer
	for _, l := range s {
		text.WriteString(l.String() + "\n")
	}
	return text.Bytes()
}

// find returns the index of the line called name, and whether there is one.
func (s Sum) find(name string) (int, bool) {
	return slices.BinarySearchFunc(s, name, func(l Line, name string) int { return strings.Compare(l.Name, name) })
}

// Malformed is the error of [Parse] for a file that is not a valid sum.
type Malformed struct {
	Line   int // from 1
	Reason string
}

// Error implements error. It names the file and the line.
func (m *Malformed) Error() string {
	return fmt.Sprintf("%s:%d: %s", catalog.SumFile, m.Line, m.Reason)
}

// Parse parses the content of a catalog.sum. It accepts only the format that [Sum.Bytes]
// writes. The error is a [*Malformed].
func Parse(data []byte) (Sum, error) {
	sum := make(Sum, 0, bytes.Count(data, []byte("\n")))
	for rest := data; len(rest) > 0; {
		text, after, whole := bytes.Cut(rest, []byte("\n"))
		number := len(sum) + 1
		if !whole {
			return nil, &Malformed{number, "the line is cut off, because the file does not end in a newline: " + restore}
		}
		line, reason := parseLine(text)
		if reason == "" && number > 1 {
			reason = follows(sum[number-2], line)
		}
		if reason != "" {
			return nil, &Malformed{number, reason}
		}
		sum, rest = append(sum, line), after
	}
	return sum, nil
}

// restore is the advice for a file that another program has changed.
const restore = "restore the file, or review the catalog and write it again with `catalog lock`"

var hashForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{64}$`) })

// parseLine parses a line. If it is invalid, reason says why.
func parseLine(text []byte) (l Line, reason string) {
	if !utf8.Valid(text) {
		return l, "the line is not valid UTF-8: " + restore
	}
	if bytes.HasSuffix(text, []byte("\r")) {
		return l, "the line ends in \\r\\n, but lines of this file end in \\n alone: " +
			"write `catalog.sum -text` into .gitattributes if git changed them, and restore the file"
	}
	name, hash, _ := strings.Cut(string(text), " ")
	switch {
	case !isFile(name) && !catalog.ID(name).Valid():
		return l, fmt.Sprintf("the line begins with %.40q, which is not the id of an entry: ", name) + restore
	case !hashForm().MatchString(hash):
		return l, "what follows the id is not a space and a hash of 64 lower-case hexadecimal digits: " + restore
	}
	return Line{name, catalog.Fingerprint(hash)}, ""
}

// follows returns why line l cannot follow the line before, or "" if it can.
func follows(before, l Line) string {
	switch order := compareNames(before, l); {
	case order == 0:
		return fmt.Sprintf("%s has a second line here: ", l.Name) + restore
	case order > 0:
		return fmt.Sprintf("%s comes after %s, but the lines are in byte order: ", l.Name, before.Name) + restore
	}
	return ""
}

// Change is a difference between a sum and a later state of an entry or a file.
type Change struct {
	Name string `json:"name"`
	Kind Kind   `json:"kind"`
	Line int    `json:"-"` // line of the sum, from 1; 0 for added names
}

// IsUncovered reports whether the change is only that the sum does not cover the criteria
// file. The sum may predate the format with such lines, so this is no reason to stop
// serving the catalog.
func (c Change) IsUncovered() bool { return c.Name == catalog.CriteriaFile && c.Kind == Added }

// String describes the change: "wrap-errors was changed".
func (c Change) String() string { return c.Name + " was " + string(c.Kind) }

// Kind is the kind of a change.
type Kind string

// The kinds of changes.
const (
	Changed Kind = "changed"
	Removed Kind = "removed"
	Added   Kind = "added"
)

// Changes returns how now differs from s, sorted by name.
func (s Sum) Changes(now Sum) []Change {
	var changes []Change
	for i, l := range s {
		switch at, there := now.find(l.Name); {
		case !there:
			changes = append(changes, Change{l.Name, Removed, i + 1})
		case now[at].Hash != l.Hash:
			changes = append(changes, Change{l.Name, Changed, i + 1})
		}
	}
	for _, l := range now {
		if _, there := s.find(l.Name); !there {
			changes = append(changes, Change{Name: l.Name, Kind: Added})
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return cmp.Compare(a.Name, b.Name) })
	return changes
}
