package source

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"instruction-catalog/catalog"
)

// affordable is how many bytes reading a hostile file may take, all together: what is
// allocated has to be filled, so that it bounds the time, too, on any machine.
const affordable = 100 << 20

// spending returns what do allocates, in bytes. Nothing else may run meanwhile, and so
// no test that calls it is parallel; nor does the race detector have anything to find.
func spending(t *testing.T, do func()) uint64 {
	t.Helper()
	if testing.Short() {
		t.Skip("hostile sizes take long under the race detector")
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// hostileFronts are shapes of front matter for which a library takes the longest, each
// with as much as may stand there at once, or more.
func hostileFronts(size int) map[string]string {
	each := func(line string) string {
		var lines strings.Builder
		for i := 0; lines.Len() < size; i++ {
			fmt.Fprintf(&lines, line+"\n", i)
		}
		return lines.String()
	}
	return map[string]string{
		"yaml nested list":    "---\nx: " + strings.Repeat("[", size) + "\n",
		"yaml nested objects": "---\nx: " + strings.Repeat("{a: ", size/4) + "\n",
		"yaml nested dashes":  "---\nx:\n  " + strings.Repeat("- ", size/2) + "a\n",
		"yaml list":           "---\nx: [" + strings.Repeat("a,", size/2) + "b]\n",
		"yaml aliases":        "---\na: &a b\nx: [" + strings.Repeat("*a,", size/3) + "b]\n",
		"yaml long text":      "---\nx: \"\\n" + strings.Repeat("a", size) + "\"\n",
		"yaml names":          "---\n" + each(`k%d: "\n"`),
		"yaml one name":       "---\n" + strings.Repeat("k: \"\\n\"\n", size/9),
		"no yaml":             "---\n" + each("k%d: @a"),
		"no yaml, with tabs":  "---\n" + each("k%d:\n\t- v"),
		"no yaml, open text":  "---\nx: @a\n" + strings.Repeat("k: \"\n", size/5),
		"toml names":          "+++\n" + each("k%d = 1"),
		"toml tables":         "+++\n" + each("[t%d]"),
		"toml list":           "+++\nx = [" + strings.Repeat("1,", size/2) + "1]\n",
		"toml nested list":    "+++\nx = " + strings.Repeat("[", size/2) + strings.Repeat("]", size/2) + "\n",
		"toml dotted name":    "+++\nx." + strings.Repeat("a.", size/2) + "b = 1\n",
		"toml dotted table":   "+++\n[" + strings.Repeat("a.", size/2) + "b]\n",
	}
}

func TestHostileFrontMatter(t *testing.T) {
	const fences = 100 // bytes, and more
	for _, size := range []int{maxFront - fences, 2 << 20} {
		for name, front := range hostileFronts(size) {
			var r outcome
			content := front + front[:3] + "\n# Title\n\nText.\n"
			if spent := spending(t, func() { r = interpretText("a.md", content) }); spent > affordable {
				t.Errorf("%s of %d bytes: %d bytes were allocated", name, size, spent)
			}
			if refused := strings.Contains(said(r), "of which 64 KiB are read"); refused != (size > maxFront) {
				t.Errorf("%s of %d bytes: said %.200s", name, size, said(r))
			}
		}
	}
}

// Front matter ends where the text begins: of that there may be much more.
func TestFrontMatterOfTheSizeThatMayBe(t *testing.T) {
	t.Parallel()
	most := "#" + strings.Repeat(" ", maxFront-2) // with the newline behind it
	for _, fence := range []string{"---\n", "+++\n"} {
		front := strings.Replace(most, "# ", "#\n", 1)
		text := "# Title\n\n" + strings.Repeat("Text.\n", 1000)
		if r := interpretText("a.md", fence+front+"\n"+fence+text); r.entry == nil || len(r.diagnostics) > 0 || r.entry.Body.Text() != text {
			t.Errorf("%s: said %.200s", fence, said(r))
		}
		if r := interpretText("a.md", fence+front+" \n"+fence+text); r.entry != nil || said(r) != "1: error: the front matter has 65537 bytes, of which 64 KiB are read: move what is no field to the text below it" {
			t.Errorf("%s: said %.200s", fence, said(r))
		}
	}
}

func TestHostileCommand(t *testing.T) {
	dir := t.TempDir()
	var names strings.Builder
	for i := 0; names.Len() < 2<<20; i++ {
		fmt.Fprintf(&names, "k%d = 1\n", i)
	}
	writeFiles(t, dir, map[string]string{".gemini/commands/a.toml": "prompt = \"x\"\n" + names.String()})
	var s *catalog.Snapshot
	if spent := spending(t, func() { s = load(t, dir) }); spent > affordable {
		t.Errorf("%d bytes were allocated", spent)
	}
	if got := summary(s); !strings.Contains(got, "a.toml: error: the command has ") {
		t.Error(got)
	}
}

// What an AGENTS.md mentions is looked at before it is known whether the file is read.
func TestHostileMentions(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"AGENTS.md": strings.Repeat("@a.md ", MaxFile/6)})
	var s *catalog.Snapshot
	if spent := spending(t, func() { s = load(t, dir) }); spent > 2*affordable {
		t.Errorf("%d bytes were allocated", spent)
	}
	if got := summary(s); !strings.Contains(got, "1000000 are allowed") {
		t.Error(got)
	}
}

// TOML's library compares each name with all before it.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	each := func(format string, n int) string {
		var text strings.Builder
		for i := range n {
			fmt.Fprintf(&text, format, i)
		}
		return text.String()
	}
	for name, text := range map[string]string{
		"keys":   each("k%d = 1\n", maxNames+1),
		"tables": each("[t%d]\n", maxNames+1),
		"dotted": each("[t%d.a]\n", maxNames/2+1),
		"inline": "x = {" + each("k%d = 1, ", maxNames) + "y = 1}\n",
		"nested": "x = [" + each("[{k%d = 1}], ", maxNames) + "]\n",
	} {
		if r := interpretText("a.md", "+++\n"+text+"+++\n# Title\n"); !strings.Contains(said(r), "2: error: it has more than 1000 names") {
			t.Errorf("%s: said %.200s", name, said(r))
		}
	}
	if r := interpretText("a.md", "+++\n"+each("k%d = 1\n", maxNames)+"+++\n# Title\n"); r.entry == nil {
		t.Errorf("as many as may be: said %.200s", said(r))
	}
}

func TestHostileJSON(t *testing.T) {
	const (
		size    = MaxFile - 1000
		tooMany = "more than 10000 names in its objects"
	)
	var names strings.Builder
	for i := 0; names.Len() < size; i++ {
		fmt.Fprintf(&names, `,"k%d":0`, i)
	}
	for name, tt := range map[string]struct{ content, said string }{
		"names":       {names.String()[1:size], tooMany},
		"empty names": {strings.Repeat(`"":0,`, size/5) + `"a":1`, tooMany},
		"one object":  {`"x":{` + names.String()[1:size] + `}`, tooMany},
		"objects":     {`"x":[` + strings.Repeat(`{"a":{"b":1}},`, size/14) + `0]`, tooMany},
		"some names":  {`"x":[` + strings.Repeat(`{"a":{"b":1}},`, maxNamesInJSON/2-10) + `0]`, `unknown field "x": kept in extensions`},
		"nested":      {`"x":` + strings.Repeat("[", size/2) + strings.Repeat("]", size/2), tooDeep},
		"tags":        {`"tags":[` + strings.Repeat(`"a",`, size/4) + `"b"]`, ""},
	} {
		var r outcome
		content := strings.Replace(minimal("a"), "{", "{"+tt.content+",", 1)
		if spent := spending(t, func() { r = interpretText("a.json", content) }); spent > affordable {
			t.Errorf("%s: %d bytes were allocated", name, spent)
		}
		if !strings.Contains(said(r), tt.said) {
			t.Errorf("%s: said %.200s", name, said(r))
		}
	}
}

// A few kilobytes of a bundle expand to gigabytes, or to millions of lines.
func TestHostileBundles(t *testing.T) {
	const size = 16 << 20
	for _, line := range []string{"\n", "x\n", "{}\n", `{"a":1}` + "\n", minimal("a") + "\n", "[", "x", "{\"\":"} {
		path := filepath.Join(t.TempDir(), "b.jsonl.zst")
		writeRepeated(t, path, line, size)
		var err error
		if spent := spending(t, func() { _, err = New(path).Load(t.Context()) }); spent > affordable {
			t.Errorf("%.10q: %d bytes were allocated", line, spent)
		}
		if err == nil || !strings.Contains(err.Error(), "it expands to more than ") {
			t.Errorf("%.10q: got %v", line, err)
		}
	}
}

// Frames and blocks that hold nothing cost as much as others.
func TestHostileFrames(t *testing.T) {
	t.Parallel()
	const (
		head     = "\x28\xb5\x2f\xfd\x04\x00"     // of a frame with a checksum and a window of 1 KiB
		block    = "\x00\x00\x00"                 // which is empty
		end      = "\x01\x00\x00\x99\xe9\xd8\x51" // the last block, and the checksum of nothing
		skipped  = "\x50\x2a\x4d\x18\x00\x00\x00\x00"
		expected = "it consists of more compressed parts than instructions of its size do"
	)
	for name, tt := range map[string]struct {
		content string
		said    string
	}{
		"frames":  {strings.Repeat(head+end, freeParts), expected},
		"blocks":  {head + strings.Repeat(block, freeParts) + end, expected},
		"skipped": {strings.Repeat(skipped, freeParts), expected},
		"few":     {strings.Repeat(skipped, 100) + strings.Repeat(head+strings.Repeat(block, 20)+end, 100), ""},
	} {
		_, err := New(writeBundle(t, "b.jsonl.zst", tt.content)).Load(t.Context())
		if tt.said == "" && err != nil || tt.said != "" && (err == nil || !strings.Contains(err.Error(), tt.said)) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// writeRepeated writes a compressed file with that many bytes of a text.
func writeRepeated(t *testing.T, path, text string, size int) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := zstd.NewWriter(f, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	part := []byte(strings.Repeat(text, (1<<20)/len(text)))
	for written := 0; written < size; written += len(part) {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// Below the folders that may lie in each other nothing is read, and that is said.
func TestHostileFolders(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	deepest := strings.Repeat("d/", maxFolders)
	if err := root.MkdirAll(deepest, 0o700); err != nil {
		t.Fatal(err)
	}
	writeFiles(t, dir, map[string]string{deepest + "a.md": "a"})
	if s := load(t, dir); len(s.Entries()) != 1 || len(s.Diagnostics()) != 0 {
		t.Error(summary(s))
	}
	below := filepath.Join(dir, filepath.FromSlash(deepest))
	for range 10 {
		below = filepath.Join(below, strings.Repeat("d/", 100))
	}
	if err := os.MkdirAll(below, 0o700); err != nil {
		t.Skip("no such paths here:", err)
	}
	writeFiles(t, below, map[string]string{"b.md": "b"})
	folder := NewFolder(dir)
	s, err := folder.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	expect(t, s, string(s.Entries()[0].ID)+" "+deepest+"a.md",
		deepest+"d: error: folders lie more than 64 deep in each other, and what is in this one was not read: move it up, or begin its name with '_' to leave it out")
	if n := len(folder.Folders()); n != maxFolders+1 {
		t.Errorf("looked into %d folders", n)
	}
}

// Long rules cost as much as many.
func TestLongRules(t *testing.T) {
	dir := t.TempDir()
	rule := "*[" + strings.Repeat("z", 2000) + "]q\n"
	writeFiles(t, dir, map[string]string{"a.md": "a", ".gitignore": strings.Repeat(rule, 1990)})
	if got := summary(load(t, dir)); !strings.Contains(got, ".gitignore: error: there are more than 2000 rules, or 65536 bytes") {
		t.Error(got)
	}
}

// Every file is held against every rule that is in force.
func TestHostileRules(t *testing.T) {
	dir := t.TempDir()
	rules := strings.Repeat("*a*b*c*d*e*f*g*\n", MaxFile/16)
	writeFiles(t, dir, map[string]string{"a.md": "a", ".gitignore": "b.md\n", "b.md": "b", "c/c.md": "c", "c/.gitignore": rules})
	var s *catalog.Snapshot
	if spent := spending(t, func() { s = load(t, dir) }); spent > affordable {
		t.Errorf("%d bytes were allocated", spent)
	}
	got := summary(s)
	if !strings.Contains(got, "c/.gitignore: error: there are more than 2000 rules, or 65536 bytes of them, here and in the folders above, so that these were not heeded") || strings.Contains(got, "b b.md") {
		t.Error(got)
	}
}
