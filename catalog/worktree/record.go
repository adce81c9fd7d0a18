package worktree

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"instruction-catalog/catalog/files"
)

// RecordPath is the path of the record of rendered files within the repository.
const RecordPath = ".catalog/rendered.json"

// recordVersion is the version of the rendered files and of their record.
const recordVersion = 1

// Record lists the files of a repository that were rendered, and the entries that they
// come from. It may come from a clone, so its content is not trusted.
type Record struct {
	Revision string // of the catalog; "" if there is no record
	// lines holds the lines by path. A path may have two lines if git left conflict
	// markers in the record.
	lines map[string][]Line
}

// Line is the record of one file.
type Line struct {
	Path    string  `json:"path"`
	Target  string  `json:"target"`
	Region  bool    `json:"region,omitempty"` // only a region of the file was rendered
	SHA256  string  `json:"sha256"`           // of the text written; for a region, of the text between the markers
	Entries []Entry `json:"entries"`
}

// Entry names the version of a catalog entry that was rendered.
type Entry struct {
	ID   string `json:"id"`
	Hash string `json:"entryHash"`
}

// Lines returns the lines sorted by path. If both sides of a merge wrote a path, it
// returns only the first line.
func (r Record) Lines() []Line {
	all := make([]Line, 0, len(r.lines))
	for _, p := range slices.Sorted(maps.Keys(r.lines)) {
		all = append(all, r.lines[p][0])
	}
	return all
}

// clone returns a copy of the record with one line per path.
func (r Record) clone() Record {
	c := Record{Revision: r.Revision, lines: map[string][]Line{}}
	for p, lines := range r.lines {
		c.lines[p] = lines[:1]
	}
	return c
}

// ReadRecord reads the record of a repository. A missing file yields an empty record.
// Errors name the file.
func ReadRecord(root *os.Root) (Record, error) {
	text, err := readPlain(root, RecordPath, maxRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return Record{lines: map[string][]Line{}}, nil
	}
	if err != nil {
		return Record{}, fmt.Errorf("%s: %w", RecordPath, files.Cause(err))
	}
	r, err := parseRecord(text)
	if err != nil {
		return Record{}, fmt.Errorf("%s: %w", RecordPath, err)
	}
	return r, nil
}

// recordJSON is the JSON form of the record.
type recordJSON struct {
	Version  int    `json:"version"`
	Revision string `json:"revision"`
	Files    []Line `json:"files"`
}

func parseRecord(text []byte) (Record, error) {
	r := Record{lines: map[string][]Line{}}
	ours, theirs, err := sides(text)
	if err != nil {
		return r, err
	}
	for _, side := range [][]byte{ours, theirs} {
		if side == nil {
			continue
		}
		if err := r.addSide(side); err != nil {
			return r, err
		}
	}
	return r, nil
}

func (r *Record) addSide(text []byte) error {
	if version := versionOf(text); version > recordVersion {
		return fmt.Errorf("it has version %d, and this program renders version %d: use a newer program", version, recordVersion)
	}
	var said recordJSON
	if err := decodeStrictly(text, &said); err != nil {
		return err
	}
	if said.Version != recordVersion {
		return fmt.Errorf("%d is no version of it: restore the file from git", said.Version)
	}
	r.Revision = cmp.Or(r.Revision, said.Revision)
	seen := map[string]bool{}
	for _, l := range said.Files {
		switch {
		case !isPlainPath(l.Path) || !isSHA256(l.SHA256) || l.Target == "":
			return fmt.Errorf("%q: a line needs a target, a path within the repository and a SHA-256 in hexadecimal: restore the file from git", l.Path)
		case seen[l.Path]:
			return fmt.Errorf("%q is recorded twice: restore the file from git", l.Path)
		}
		seen[l.Path] = true
		if !slices.ContainsFunc(r.lines[l.Path], l.equal) {
			r.lines[l.Path] = append(r.lines[l.Path], l)
		}
	}
	return nil
}

func (l Line) equal(other Line) bool {
	return l.Path == other.Path && l.Target == other.Target && l.Region == other.Region && l.SHA256 == other.SHA256 &&
		slices.Equal(l.Entries, other.Entries)
}

// versionOf returns the version in a record and ignores everything else. It returns 0
// if there is no version.
func versionOf(text []byte) int {
	var said struct {
		Version int `json:"version"`
	}
	_ = json.Unmarshal(text, &said) // addSide reports the error
	return said.Version
}

// sides returns both sides of a text in which git has left conflict markers. If there
// are no markers, theirs is nil.
func sides(text []byte) (ours, theirs []byte, err error) {
	const both, inOurs, inBase, inTheirs = 0, 1, 2, 3
	at, conflicts := both, 0
	for line := range bytes.Lines(text) {
		switch marker := strings.TrimRight(string(line), "\r\n"); {
		case at == both && strings.HasPrefix(marker, "<<<<<<<"):
			at, conflicts = inOurs, conflicts+1
		case at == inOurs && strings.HasPrefix(marker, "|||||||"):
			at = inBase
		case (at == inOurs || at == inBase) && marker == "=======":
			at = inTheirs
		case at == inTheirs && strings.HasPrefix(marker, ">>>>>>>"):
			at = both
		default:
			if at == both || at == inOurs {
				ours = append(ours, line...)
			}
			if at == both || at == inTheirs {
				theirs = append(theirs, line...)
			}
		}
	}
	switch {
	case at != both:
		return nil, nil, errors.New("a conflict marker of git has no end: restore the file from git")
	case conflicts == 0:
		return text, nil, nil
	}
	return commas(ours), commas(theirs), nil
}

// commas fixes the commas after the file lines of one side of a merge, since the sides
// may end in different lines.
func commas(side []byte) []byte {
	lines := strings.SplitAfter(string(side), "\n")
	isFile := func(line string) bool { return strings.HasPrefix(line, `{"path":`) }
	for i, line := range lines {
		if !isFile(line) {
			continue
		}
		plain := strings.TrimSuffix(strings.TrimRight(line, "\r\n"), ",")
		if i+1 < len(lines) && isFile(lines[i+1]) {
			plain += ","
		}
		lines[i] = plain + "\n"
	}
	return []byte(strings.Join(lines, ""))
}

// encode returns the content of the record's file, with one line per path.
func (r Record) encode() []byte {
	head := fmt.Sprintf("{\n\"version\": %d,\n\"revision\": %q,\n\"files\": [", recordVersion, r.Revision)
	return encodeLines(head, r.Lines(), "]\n}\n")
}
