package verify

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/format"
	"instruction-catalog/catalog/frontmatter"
	"instruction-catalog/governance/report"
)

// Edit replaces the bytes of a file from Start up to, but not including, End with Text.
type Edit struct {
	Start, End int
	Text       string
}

// repairs maps rules to functions that return the text of a file with the given finding
// repaired, or nil if they cannot repair it.
var repairs = map[report.Rule]func(f report.Finding, text []byte) []byte{
	agents.ApplyToList:   joinApplyTo,
	agents.GlobQuoted:    unquoteGlobs,
	format.FieldMisspelt: renameField,
}

// Repair returns the text of a file with a finding repaired. All other bytes stay the same.
// ok is false if the finding has no single correct repair.
func Repair(f report.Finding, text []byte) (repaired []byte, ok bool) {
	repair := repairs[f.Rule]
	if repair == nil {
		return nil, false
	}
	repaired = repair(f, text)
	return repaired, repaired != nil && !bytes.Equal(repaired, text)
}

// EditOf returns the smallest single edit that turns before into after.
func EditOf(before, after []byte) Edit {
	start, most := 0, min(len(before), len(after))
	for start < most && before[start] == after[start] {
		start++
	}
	same := 0
	for same < most-start && before[len(before)-1-same] == after[len(after)-1-same] {
		same++
	}
	return Edit{start, len(before) - same, string(after[start : len(after)-same])}
}

// inFront returns text with its front matter edited by edit. It returns nil if there is no
// front matter or edit fails.
func inFront(text []byte, edit func(front []byte) ([]byte, error)) []byte {
	file := files.TrimByteOrderMark(text)
	front, _, _ := frontmatter.Cut(file)
	if front == nil {
		return nil
	}
	fence, _ := frontmatter.CutLine(file)
	start := len(text) - len(file) + len(fence)
	edited, err := edit(front)
	if err != nil {
		return nil
	}
	return slices.Concat(text[:start], edited, text[start+len(front):])
}

var errAmbiguous = errors.New("there is more than one way to repair it")

// joinApplyTo replaces a list of globs with one comma-separated string.
func joinApplyTo(_ report.Finding, text []byte) []byte {
	return inFront(text, func(front []byte) ([]byte, error) {
		items, err := frontmatter.Texts(front, "applyTo")
		if err != nil || slices.ContainsFunc(items, func(glob string) bool { return strings.Contains(glob, ",") }) {
			return nil, cmp.Or(err, errAmbiguous)
		}
		return frontmatter.SetText(front, "\n", "applyTo", strings.Join(items, ","))
	})
}

// quotedGlobs matches the globs line of a Cursor rule if its value is one quoted string.
var quotedGlobs = regexp.MustCompile(`(?m)^(globs:[ \t]*)(?:"([^"'\\\r\n]*)"|'([^"'\r\n]*)')([ \t]*)(\r?)$`)

// unquoteGlobs removes the quotation marks around the globs of a Cursor rule. Cursor does
// not read globs as YAML.
func unquoteGlobs(_ report.Finding, text []byte) []byte {
	return inFront(text, func(front []byte) ([]byte, error) {
		if len(quotedGlobs.FindAll(front, 2)) != 1 {
			return nil, errAmbiguous
		}
		return quotedGlobs.ReplaceAll(front, []byte("${1}${2}${3}${4}${5}")), nil
	})
}

// misspelt extracts the names from the message about a misspelt field.
var misspelt = regexp.MustCompile(`^"?([A-Za-z0-9_-]+)"?: (?:it is read as|its agent does not read it, but) ([A-Za-z]+): rename it$`)

// renameField renames the misspelt field on the line of a finding. It returns nil if the
// file already has a field of the correct name.
func renameField(f report.Finding, text []byte) []byte {
	names := misspelt.FindStringSubmatch(f.Message)
	if names == nil || f.Line < 1 {
		return nil
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if f.Line > len(lines) || hasField(lines, names[2]) {
		return nil
	}
	field := regexp.MustCompile(`^((?:\x{FEFF})?[ \t{,]*"?)` + regexp.QuoteMeta(names[1]) + `("?[ \t]*[:=])`)
	renamed := field.ReplaceAll(lines[f.Line-1], []byte("${1}"+names[2]+"${2}"))
	lines[f.Line-1] = renamed
	return bytes.Join(lines, nil)
}

// hasField reports whether a line begins with a field called name.
func hasField(lines [][]byte, name string) bool {
	return slices.ContainsFunc(lines, func(line []byte) bool {
		rest, ok := bytes.CutPrefix(bytes.TrimLeft(line, " \t{,\""), []byte(name))
		rest = bytes.TrimLeft(rest, "\" \t")
		return ok && len(rest) > 0 && (rest[0] == ':' || rest[0] == '=')
	})
}

// RepairedFile is a file with some of its findings repaired.
type RepairedFile struct {
	Path          string // relative to the folder of the catalog
	Before, After []byte
	Findings      []report.Finding // the repaired findings, last line first
}

// Repairs returns the files that can be repaired, sorted by path, without writing them. It
// skips unreadable files, which already have a finding.
func (r *Run) Repairs(found []report.Finding) []RepairedFile {
	byPath := map[string][]report.Finding{}
	for _, f := range found {
		if repairs[f.Rule] != nil {
			byPath[f.Path] = append(byPath[f.Path], f)
		}
	}
	var all []RepairedFile
	for _, shown := range slices.Sorted(maps.Keys(byPath)) {
		name := strings.TrimPrefix(shown, r.place("", 0).Path+"/")
		text, err := r.Source.ReadFile(name)
		if err != nil {
			continue
		}
		file := RepairedFile{Path: name, Before: text, After: text}
		inOrder := byPath[shown] // from the last line up, so that line numbers stay valid
		slices.SortStableFunc(inOrder, func(a, b report.Finding) int { return b.Line - a.Line })
		for _, f := range inOrder {
			if after, ok := Repair(f, file.After); ok {
				file.After = after
				file.Findings = append(file.Findings, f)
			}
		}
		if len(file.Findings) > 0 {
			all = append(all, file)
		}
	}
	return all
}
