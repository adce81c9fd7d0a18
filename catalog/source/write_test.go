package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/format"
	"instruction-catalog/schemas"
)

// bundled returns a snapshot as a bundle.
func bundled(t testing.TB, s *catalog.Snapshot, compressed bool) string {
	t.Helper()
	var buf bytes.Buffer
	if err := WriteBundle(t.Context(), &buf, s, Metadata{}, compressed, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

// TestRoundTrip checks that reading a bundle yields the entries that were written,
// whatever the format of their files, and that writing it again yields the same bytes.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for name, dir := range map[string]string{
		"this repository": filepath.Join("..", "..", "instructions"),
		"generated":       writeGenerated(t),
	} {
		want := load(t, dir)
		if len(want.Entries()) == 0 {
			t.Fatalf("%s: no entries", name)
		}
		plain := bundled(t, want, false)
		if again := bundled(t, load(t, dir), false); again != plain {
			t.Errorf("%s: two bundles of one catalog differ", name)
		}
		if one, two := bundled(t, want, true), bundled(t, want, true); one != two {
			t.Errorf("%s: two compressed bundles of one catalog differ", name)
		}
		for file, content := range map[string]string{"b.jsonl": plain, "b.jsonl.zst": bundled(t, want, true)} {
			got := loadSource(t, writeBundle(t, file, content))
			compareSnapshots(t, name+" in "+file, got, want)
			if bundled(t, got, false) != plain {
				t.Errorf("%s: writing again what was read from %s gives another bundle", name, file)
			}
		}
	}
}

// TestClones checks that copies of a catalog whose files have different modification
// times yield the same catalog and the same bundle.
func TestClones(t *testing.T) {
	t.Parallel()
	var bundles, revisions []string
	for day := range 2 {
		dir := t.TempDir()
		files := map[string]string{
			"a.md": "A.", "b.json": `{"id":"b","title":"B","body":"B.","createdAt":"2025-01-01T00:00:00.000Z"}`,
			"c.md": "---\nupdatedAt: 2025-01-01\n---\nC.", ".cursor/rules/d.mdc": "D.", "gates.json": `{"gates":[]}`,
		}
		writeFiles(t, dir, files)
		for name := range files {
			modified := time.Date(2025, 3, 1+day, 0, 0, 0, 0, time.UTC)
			if err := os.Chtimes(filepath.Join(dir, name), modified, modified); err != nil {
				t.Fatal(err)
			}
		}
		s := load(t, dir)
		if len(s.Entries()) != 4 {
			t.Fatalf("%d entries: %v", len(s.Entries()), s.Diagnostics())
		}
		bundles, revisions = append(bundles, bundled(t, s, false)), append(revisions, string(s.Revision()))
	}
	if bundles[0] != bundles[1] || revisions[0] != revisions[1] {
		t.Errorf("revision %s and %s of\n%s%s", revisions[0], revisions[1], bundles[0], bundles[1])
	}
	if times := strings.Count(bundles[0], `"createdAt"`) + strings.Count(bundles[0], `"updatedAt"`); times != 2 {
		t.Errorf("there are %d times that a file says, want 2:\n%s", times, bundles[0])
	}
	if read := loadBundle(t, bundles[0]); string(read.Revision()) != revisions[0] {
		t.Errorf("the bundle has the revision %s, want %s", read.Revision(), revisions[0])
	}
}

// TestBundledGates checks that a bundle contains its gates on the first line and nowhere
// else.
func TestBundledGates(t *testing.T) {
	t.Parallel()
	const entry = `{"id": "a", "title": "T", "body": "B"}` + "\n"
	for content, want := range map[string]string{
		"":    "",
		entry: "",
		`{"gates.json":{"gates":[1]}}` + "\n" + entry: `{"gates":[1]}`,
		"\ufeff{ \"gates.json\" : [ ] }":              `[ ]`,
		`{"gates.json":{},"id":"x"}`:                  "",
		`{"gates.json":{}`:                            "",
		"\n" + `{"gates.json":{}}`:                    "",
	} {
		gates, err := NewBundle(writeBundle(t, "b.jsonl", content)).Gates()
		if string(gates) != want || err != nil {
			t.Errorf("%q: got %s, %v, want %s", content, gates, err, want)
		}
	}
	var buf bytes.Buffer
	s := loadBundle(t, entry)
	if err := WriteBundle(t.Context(), &buf, s, Metadata{Gates: []byte("\ufeff{ \"gates\": [\n]}")}, false, func(int, int) {}); err != nil {
		t.Fatal(err)
	}
	gates, rest, _ := strings.Cut(buf.String(), "\n")
	if gates != `{"gates.json":{"gates":[]}}` || rest != bundled(t, s, false) {
		t.Errorf("got %s", buf.String())
	}
	if read := loadBundle(t, buf.String()); read.Revision() != s.Revision() {
		t.Errorf("with gates it is another catalog: %v", read.Diagnostics())
	}
	twice := loadBundle(t, buf.String()+buf.String()).Diagnostics()
	if d := twice[len(twice)-2]; d.Severity != catalog.SeverityError || d.Line != 3 || !strings.Contains(d.Message, "not evaluated") {
		t.Errorf("gates on a later line: %v", twice)
	}
	err := WriteBundle(t.Context(), io.Discard, s, Metadata{Gates: []byte(`{"gates": `)}, false, func(int, int) {})
	if err == nil || !strings.Contains(err.Error(), "gates.json: it is not valid JSON") {
		t.Errorf("gates that are no JSON: %v", err)
	}
}

func compareSnapshots(t *testing.T, name string, got, want *catalog.Snapshot) {
	t.Helper()
	if got.Hash() != want.Hash() || len(got.Entries()) != len(want.Entries()) {
		t.Errorf("%s: %d entries with hash %s, want %d with %s", name, len(got.Entries()), got.Hash(), len(want.Entries()), want.Hash())
		return
	}
	for i, e := range want.Entries() {
		compareEntries(t, name, got.Entries()[i], e)
		if spelled := e.Origin.SpelledID; spelled != "" {
			if found, ok := got.Get(spelled); !ok || found.ID != e.ID {
				t.Errorf("%s: %s is not found as %s", name, e.ID, spelled)
			}
		}
	}
	for _, d := range got.Diagnostics() {
		if d.Severity != catalog.SeverityWarning {
			t.Errorf("%s: said %s", name, d)
		}
	}
}

// compareEntries compares entries, including their scopes and recorded hashes, but not
// their locations.
func compareEntries(t *testing.T, name string, got, want *catalog.Entry) {
	t.Helper()
	if got.Hash() != want.Hash() || got.SourceHash != want.SourceHash {
		t.Errorf("%s: got  %s\nwant %s", name, got.Encoded(), want.Encoded())
	}
	if got.UsageCount != want.UsageCount || got.LastUsedAt != want.LastUsedAt {
		t.Errorf("%s: %s was used %d times, last %s, want %d and %s",
			name, want.ID, got.UsageCount, got.LastUsedAt, want.UsageCount, want.LastUsedAt)
	}
	if !reflect.DeepEqual(got.Origin.Scope, want.Origin.Scope) {
		t.Errorf("%s: %s is for %+v, want %+v", name, want.ID, got.Origin.Scope, want.Origin.Scope)
	}
	recorded := want.Origin.RecordedHash
	if recorded == "" {
		recorded = string(want.SourceHash)
	}
	if got.Origin.RecordedHash != recorded {
		t.Errorf("%s: %s records the hash %s, want %s", name, want.ID, got.Origin.RecordedHash, recorded)
	}
}

// writeGenerated writes a folder of files of both formats and returns its path. The
// files contain the field cases and random bodies.
func writeGenerated(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(3, 4))
	files := map[string]string{
		"api/AGENTS.md": "A", "web/.cursor/rules/b.mdc": "---\nglobs: *.ts, !gen/**\n---\nB",
		"c.md": "---\nappliesTo: [a/**]\nscope: mine\n---\nC",
	}
	maps.Copy(files, fieldFiles(t))
	for i := range 300 {
		files[fmt.Sprintf("r%d.md", i)] = randomText(rnd)
	}
	writeFiles(t, dir, files)
	return dir
}

// randomText returns a body of characters that are difficult in JSON, in YAML or on a
// single line.
func randomText(rnd *rand.Rand) string {
	awkward := []rune("ab \n\r\t\"\\\x00\x01\x1f\x7f\u0085\u2028\u2029\uFEFF\uFFFD<>&ßİ😀{}[]:,#-")
	var b strings.Builder
	b.WriteByte('x')
	for range rnd.IntN(200) {
		b.WriteRune(awkward[rnd.IntN(len(awkward))])
	}
	return b.String()
}

func TestBundleIsInOrderAndComplete(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"z.json": jsonWith("id", `"A.B"`), "a.md": "---\nid: c\nusageCount: 3\nlastUsedAt: 2025-01-01T00:00:00Z\nsourceHash: beef\nx: [1.50]\n---\nB\n",
	})
	got := bundled(t, load(t, dir), false)
	lines := strings.Split(got, "\n")
	if len(lines) != 3 || lines[2] != "" || !strings.HasPrefix(lines[0], `{"id":"A.B",`) || !strings.HasPrefix(lines[1], `{"id":"c",`) {
		t.Fatalf("got\n%s", got)
	}
	for _, want := range []string{`"usageCount":3`, `"lastUsedAt":"2025-01-01T00:00:00Z"`, `"sourceHash":"beef"`, `"extensions":{"x":[1.50]}`} {
		if !strings.Contains(lines[1], want) {
			t.Errorf("%s is missing in %s", want, lines[1])
		}
	}
}

// Each control character of a body takes six bytes.
func TestLineThatWouldBeTooLong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"a.md": "short", "b.md": "x" + strings.Repeat("\x01", maxLine/6)})
	err := WriteBundle(t.Context(), new(bytes.Buffer), load(t, dir), Metadata{}, false, func(int, int) {})
	if err == nil || !strings.HasPrefix(err.Error(), `b.md: the entry "b" has `) {
		t.Errorf("got %v", err)
	}
}

func TestWriteBundleSaysWhatFails(t *testing.T) {
	t.Parallel()
	s := load(t, filepath.Join("..", "..", "instructions"))
	for _, compressed := range []bool{false, true} {
		if err := WriteBundle(t.Context(), fullDisk{}, s, Metadata{}, compressed, func(int, int) {}); !errors.Is(err, errFull) {
			t.Errorf("compressed %v: got %v", compressed, err)
		}
	}
}

var errFull = errors.New("full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteBundleTellsProgress(t *testing.T) {
	t.Parallel()
	lines := new(strings.Builder)
	for i := range 2500 {
		lines.WriteString(minimal(fmt.Sprint(i)) + "\n")
	}
	var told []int
	s := loadBundle(t, lines.String())
	err := WriteBundle(t.Context(), io.Discard, s, Metadata{}, false, func(done, total int) {
		if told = append(told, done); total != 2500 {
			t.Errorf("of %d", total)
		}
	})
	if err != nil || !slices.Equal(told, []int{1000, 2000}) {
		t.Errorf("told %v, %v", told, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	if err := WriteBundle(ctx, io.Discard, s, Metadata{}, true, func(int, int) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %v", err)
	}
}

// FuzzBundle checks that each line of any text, unless it is blank, is either an entry
// or reported in an error, and that the served entries can be written and read again.
func FuzzBundle(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":1,}`, `{"a":"\ud83d"}`, `{"a":01}`, "{\"a\"\n:1}", `[]`, `{"a":1} x`} {
		f.Add(minimal("a") + "\r\n" + seed + "\n")
	}
	for _, content := range fieldFiles(f) {
		f.Add(strings.ReplaceAll(content, "\n", ""))
	}
	f.Fuzz(func(t *testing.T, content string) {
		s, err := New(writeBundle(t, "b.jsonl", content)).Load(t.Context())
		if errors.Is(err, errGzip) || errors.Is(err, errBinary) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		accounted := map[int]bool{}
		for _, e := range s.Entries() {
			checkContract(t, e)
			accounted[e.Origin.Line] = true
		}
		for _, d := range s.Diagnostics() {
			if d.Severity == catalog.SeverityError {
				accounted[d.Line] = true
			}
		}
		want := map[int]bool{}
		for i, l := range strings.Split(content, "\n") {
			if strings.Trim(strings.TrimPrefix(l, "\uFEFF"), " \t\r") != "" {
				want[i+1] = true
			}
		}
		if !reflect.DeepEqual(accounted, want) {
			t.Fatalf("lines %v, want %v", slices.Sorted(maps.Keys(accounted)), slices.Sorted(maps.Keys(want)))
		}
		compareSnapshots(t, "again", loadBundle(t, bundled(t, s, false)), s)
	})
}

// FuzzRecord checks that writing an entry of a Markdown file to a bundle and reading it
// back yields the same entry.
func FuzzRecord(f *testing.F) {
	for _, content := range fieldFiles(f) {
		f.Add(content)
	}
	f.Add("\f\n---\nA heading of nothing but blanks is no title.")
	addGolden(f, ".md")
	f.Fuzz(func(t *testing.T, content string) {
		want := format.Decode(format.File{Path: "dir/x.md", Modified: modified, Data: []byte(content)}).Entry
		if want == nil {
			return
		}
		line := want.AppendRecord(nil)
		if bytes.ContainsAny(line, "\n\r") {
			t.Fatalf("more than a line: %q", line)
		}
		got := format.Decode(format.File{Path: "b.jsonl", Line: 1, Data: line})
		if got.Entry == nil {
			t.Fatalf("%s: said %s", line, got.Diagnostics)
		}
		compareEntries(t, "again", got.Entry, want)
	})
}

// checkContract checks the JSON of an entry against the contract.
func checkContract(t *testing.T, e *catalog.Entry) {
	t.Helper()
	object := bytes.TrimSuffix(bytes.Clone(e.Encoded()), []byte("}"))
	object = fmt.Appendf(object, `,"usageCount":%d`, e.UsageCount)
	if e.LastUsedAt != "" {
		object = fmt.Appendf(object, `,"lastUsedAt":%q`, e.LastUsedAt)
	}
	object = append(object, '}')
	issues, err := entrySchema().Validate(object)
	if err != nil || len(issues) > 0 {
		t.Errorf("%v %v: served as %s", err, issues, object)
	}
}

// entrySchema is the contract's schema of an entry.
var entrySchema = sync.OnceValue(func() *schemas.Schema {
	schema, ok := schemas.V1().Definition("InstructionEntry")
	if !ok {
		panic("the contract does not define InstructionEntry")
	}
	return schema
})
