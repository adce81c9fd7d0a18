package format

import (
	"bytes"
	"errors"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/frontmatter"
	"instruction-catalog/schemas/jsonscan"
)

// Errors of [RecordHash].
var (
	// ErrNoHashLine means that the file has no sourceHash, so no hash can be recorded.
	ErrNoHashLine = errors.New("it has no sourceHash: add an empty one to have the hash recorded")
	// ErrHashLine means that the file has a sourceHash that cannot be replaced on its
	// own line.
	ErrHashLine = errors.New(`its sourceHash is not on a line of its own: write an empty one there`)
)

// These match the line of a sourceHash in three groups. The second group is replaced.
var (
	hashInJSON     = regexp.MustCompile(`("sourceHash"[ \t]*:[ \t]*)("[^"\\]*"|null)(.*)`)
	hashInMarkdown = regexp.MustCompile(`^(sourceHash[ \t]*[:=])([ \t]*(?:"[^"]*"|'[^']*'|[0-9A-Za-z]*))([ \t]*(?:#.*)?\r?\n?)$`)
)

// RecordHash returns the text of the instruction file at path with the hash of its body
// on the line of its sourceHash. It changes nothing else, and returns the same text if
// that hash is recorded already. The error is [ErrNoHashLine] or [ErrHashLine], or says
// that the file is not an entry.
func RecordHash(path string, data []byte) ([]byte, error) {
	before := Interpret(path, data)
	if before == nil {
		return nil, errors.New("it is not an entry: run catalog verify to see why")
	}
	doc := document{File: File{Path: path, Data: data}}
	_ = doc.parse() // Interpret found no problem
	line := doc.lineOf("sourceHash")
	if line == 0 {
		return nil, ErrNoHashLine
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	pattern, quote := hashInJSON, `${1}"`+string(before.SourceHash)+`"${3}`
	if doc.form == markdownForm {
		pattern, quote = hashInMarkdown, `${1} "`+string(before.SourceHash)+`"${3}`
	}
	lines[line-1] = pattern.ReplaceAll(lines[line-1], []byte(quote))
	text := bytes.Join(lines, nil)
	if !records(Interpret(path, text), before) {
		return nil, ErrHashLine
	}
	return text, nil
}

// records reports whether e is the same entry as other and records other's sourceHash.
func records(e, other *catalog.Entry) bool {
	return e != nil && e.Hash() == other.Hash() && e.Origin.RecordedHash == string(other.SourceHash)
}

// Approval records who approved which state of an entry, and when.
type Approval struct {
	Hash catalog.Fingerprint // of the entry, as computed by package sum
	By   string
	At   catalog.Timestamp
}

// written is a field to write: its name, and its value, which becomes JSON.
type written struct {
	name  string
	value any
}

func (a Approval) members() []written {
	return []written{{"approvedHash", string(a.Hash)}, {"approvedBy", a.By}, {"approvedAt", string(a.At)}}
}

// ErrApproval means that an approval cannot be recorded without other changes to the
// file.
var ErrApproval = errors.New("its layout does not let approvedHash, approvedBy and approvedAt be set alone: " +
	"add them by hand, each on a line of its own, and try again")

// RecordApproval returns the text of the instruction file at path with an approval of
// its entry, which must have the same hash as e. It replaces the lines of an earlier
// approval, or adds new lines. All other lines stay the same, byte for byte, unless a
// JSON file is a single line. The error is [ErrApproval], or says that the file has
// changed.
func RecordApproval(path string, data []byte, e *catalog.Entry, a Approval) ([]byte, error) {
	before := Interpret(path, data)
	if before == nil || before.Hash() != e.Hash() {
		return nil, errors.New("the file has changed in the meantime: check it again")
	}
	text, set, members := data, setInMarkdown, a.members()
	if formOf(path) == jsonForm {
		set = setInJSON
	}
	if formOf(path) == jsonForm || isTOML(files.TrimByteOrderMark(data)) { // each new field is inserted before the others
		slices.Reverse(members)
	}
	for _, m := range members {
		if text = set(text, m); text == nil {
			return nil, ErrApproval
		}
	}
	if after := Interpret(path, text); after == nil || !approves(after, before, a) {
		return nil, ErrApproval
	}
	return text, nil
}

// approves reports whether after differs from before only in having the approval a.
func approves(after, before *catalog.Entry, a Approval) bool {
	i := after.Instruction()
	if i.ApprovedHash != string(a.Hash) || i.ApprovedBy != a.By || i.ApprovedAt != a.At {
		return false
	}
	return reflect.DeepEqual(withoutApproval(after), withoutApproval(before))
}

// withoutApproval returns the content and the origin of an entry without its approval
// and without the line of its body.
func withoutApproval(e *catalog.Entry) []any {
	i, from := e.Instruction(), e.Origin
	i.ApprovedHash, i.ApprovedBy, i.ApprovedAt = "", "", ""
	from.BodyLine = 0
	return []any{i, from}
}

// setInJSON returns the text of an object with a member set. A new member is inserted
// first.
func setInJSON(data []byte, m written) []byte {
	begin := len(data) - len(files.TrimByteOrderMark(data))
	for member := range jsonscan.Members(data[begin:]) {
		if string(member.Name) == m.name {
			start := begin + member.At
			return splice(data, start, start+len(member.Value), string(jsonscan.MustEncode(m.value)))
		}
	}
	at := bytes.IndexByte(data, '{') + 1
	rest := data[at:]
	blank := string(rest[:len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))]) // the white space before the first member
	line := `"` + m.name + `": ` + string(jsonscan.MustEncode(m.value)) + ","
	first, indent, several := strings.Cut(blank, "\n")
	if !several {
		return splice(data, at, at, blank+line)
	}
	at += len(first) + 1
	return splice(data, at, at, indent[strings.LastIndexByte(indent, '\n')+1:]+line+lineEnd(first+"\n"))
}

// setInMarkdown returns the text of a file with a field of its front matter set. A new
// field is inserted last in YAML, and first in TOML, where tables come last. A file
// without front matter gets some. The result is nil if the front matter has no end.
func setInMarkdown(data []byte, m written) []byte {
	begin := len(data) - len(files.TrimByteOrderMark(data))
	lines := bytes.SplitAfter(data[begin:], []byte("\n"))
	eol, separator, isEnd := lineEnd(string(lines[0])), ": ", frontmatter.IsFence
	if isTOML(data[begin:]) {
		separator, isEnd = " = ", isTOMLFence
	} else if !frontmatter.IsFence(lines[0]) || !beginsWithFields(data[begin:]) {
		return splice(data, begin, begin, "---"+eol+m.line(separator)+eol+"---"+eol)
	}
	last := 1 + slices.IndexFunc(lines[1:], isEnd)
	if last == 0 {
		return nil
	}
	for i, line := range lines[1:last] {
		if found := fieldOnLine.FindSubmatch(line); found != nil && string(found[1]) == m.name {
			lines[1+i] = slices.Concat([]byte(m.line(separator)), found[2])
			return slices.Concat(data[:begin], bytes.Join(lines, nil))
		}
	}
	at := last
	if separator == " = " {
		at = 1
	}
	lines = slices.Insert(lines, at, []byte(m.line(separator)+eol))
	return slices.Concat(data[:begin], bytes.Join(lines, nil))
}

// fieldOnLine matches a field with its value on the line of its name. The groups are
// the name and the text after the value, which may be a comment.
var fieldOnLine = regexp.MustCompile(`^(\w+)[ \t]*[:=][ \t]*(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^"'#\s](?:[^#\r\n]*[^#\s])?)?([ \t]*(?:#.*)?\r?\n)$`)

func (m written) line(separator string) string {
	return m.name + separator + string(jsonscan.MustEncode(m.value))
}

// lineEnd returns the line ending of line, to be used for the next one.
func lineEnd(line string) string {
	if strings.HasSuffix(line, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

func splice(text []byte, from, to int, new string) []byte {
	return slices.Concat(text[:from], []byte(new), text[to:])
}
