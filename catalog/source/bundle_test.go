package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/klauspost/compress/zstd"

	"instruction-catalog/catalog"
)

// minimal returns a line that needs no normalisation.
func minimal(id string) string {
	return strings.ReplaceAll(strings.TrimSpace(jsonWith("id", `"`+id+`"`)), "\n", "")
}

// writeBundle writes a bundle into a new folder and returns its path.
func writeBundle(t testing.TB, name, content string) string {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{name: content})
	return filepath.Join(dir, name)
}

func loadBundle(t testing.TB, content string) *catalog.Snapshot {
	t.Helper()
	return loadSource(t, writeBundle(t, "b.jsonl", content))
}

func loadSource(t testing.TB, path string) *catalog.Snapshot {
	t.Helper()
	s, err := New(path).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func compressed(t testing.TB, content string, options ...zstd.EOption) string {
	t.Helper()
	var out strings.Builder
	encoder, err := zstd.NewWriter(&out, options...)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(encoder, content)
	if err := errors.Join(err, encoder.Close()); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestBundleLines(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		content string
		want    []string // ids and diagnostics without the path
	}{
		"nothing":           {"", []string{": warning: it has no entry: write it again with `catalog bundle`, or name another catalog with --dir"}},
		"blank lines":       {"\n\r\n \t\n\uFEFF\n", []string{": warning: it has no entry: write it again with `catalog bundle`, or name another catalog with --dir"}},
		"no newline at end": {minimal("b") + "\n" + minimal("a"), []string{"a", "b"}},
		"windows and marks": {"\uFEFF" + minimal("a") + "\r\n\r\n\uFEFF" + minimal("b") + "\r\n", []string{"a", "b"}},
		"lines are those of the file": {"\n" + minimal("a") + "\n\nx\n" + minimal("b") + "\n[1]\n{}\n", []string{"a", "b",
			":4: error: the line is not valid JSON: column 1: unexpected 'x'",
			":6: error: the line contains JSON that is not an object: write an object with id, title and body",
			":7: error: this is not an instruction: it has no id, title or body"}},
		"no UTF-8": {minimal("a") + "\n" + strings.Replace(minimal("b"), "T", "\xff", 1) + "\n", []string{"a",
			":2: error: the line is not valid UTF-8: save it as UTF-8"}},
		"a line goes on": {`{"id": "a",` + "\n" + `"title": "T"}`, []string{
			":1: error: the line is not valid JSON: column 12: it ends too early",
			":2: error: the line is not valid JSON: column 8: unexpected ':'"}},
		"two on a line": {minimal("a") + minimal("b"), []string{
			":1: error: the line is not valid JSON: column 139: unexpected '{'"}},
		"no id": {"\n" + strings.Replace(minimal("a"), `"id"`, `"it"`, 1), []string{
			":2: error: id: missing; write 1 to 120 of a-z, 0-9, \"-\" and \"_\", with a letter or digit at both ends",
			`:2: warning: unknown field "it": kept in extensions`}},
		"another case": {"\n" + strings.Replace(minimal("a"), `"id"`, `"ID"`, 1), []string{"a",
			":2: warning: ID: it is read as id: rename it"}},
		"a member twice": {"\n" + strings.Replace(minimal("a"), `{`, `{"body": "B",`, 1), []string{
			":2: error: body: already set on line 2: keep one of the two"}},
		"first line counts": {strings.Repeat("\n", 8) + minimal("a") + "\n" + minimal("a") + "\n" + minimal("A"), []string{"a",
			`:10: error: id "a" is already taken by b.jsonl:9, which is served instead; give this entry an id of its own`,
			`:11: warning: id: "A" is read as "a"`,
			`:11: error: id "a" is already taken by b.jsonl:9, which is served instead; give this entry an id of its own`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := loadBundle(t, tt.content)
			var got []string
			for _, e := range s.Entries() {
				got = append(got, string(e.ID))
			}
			for _, d := range s.Diagnostics() {
				got = append(got, strings.TrimPrefix(d.String(), "b.jsonl"))
			}
			if !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(tt.want, "\n"))
			}
		})
	}
}

func TestBundleDefaults(t *testing.T) {
	t.Parallel()
	s := loadBundle(t, "\n"+`{"id": "a", "title": "T", "body": "B"}`)
	e := s.Entries()[0]
	if got := string(e.Instruction().CreatedAt); `"`+got+`"` != modifiedStamp {
		t.Errorf("created %s, want the modification time of the bundle", got)
	}
	if e.Origin != (catalog.Origin{
		Path: "b.jsonl", Line: 2, BodyLine: 2, Format: "json", SpelledID: "a", CreatedWithFile: true, UpdatedWithFile: true,
	}) || e.Origin.String() != "b.jsonl:2" {
		t.Errorf("origin %+v", e.Origin)
	}
	for _, d := range s.Diagnostics() {
		if d.Path != "b.jsonl" || d.Line != 2 || d.Severity != catalog.SeverityWarning {
			t.Errorf("said %s", d)
		}
	}
	if len(s.Diagnostics()) == 0 {
		t.Error("defaults are used in silence")
	}
}

// Lines with lengths around the limits are split correctly.
func TestLongLines(t *testing.T) {
	t.Parallel()
	ofLength := func(id string, n int) string {
		line := minimal(id)
		return line + strings.Repeat(" ", n-len(line))
	}
	var content strings.Builder
	var want []string
	number := 0
	for _, end := range []string{"\n", "\r\n"} {
		for _, n := range []int{batchBytes - 2, batchBytes, batchBytes + 1, maxLine, maxLine + 1, maxLine + 2} {
			number += 2
			content.WriteString(ofLength(fmt.Sprint(number-1), n) + end + minimal(fmt.Sprint(number)) + end)
			if n > maxLine {
				want = append(want, fmt.Sprintf("b.jsonl:%d: error: the line has more than 4 MiB and was not read: split the instruction up", number-1))
			}
		}
	}
	content.WriteString(strings.Repeat("x", maxLine+batchBytes))
	want = append(want, fmt.Sprintf("b.jsonl:%d: error: the line has more than 4 MiB and was not read: split the instruction up", number+1))
	s := loadBundle(t, content.String())
	var got []string
	for _, d := range s.Diagnostics() {
		got = append(got, d.String())
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(s.Entries()) != number-4 {
		t.Errorf("%d entries of %d", len(s.Entries()), number-4)
	}
}

// All lines are read and numbered correctly, regardless of how the stream is split into
// reads.
func TestLineReader(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		var want []string
		for range rnd.IntN(50) {
			want = append(want, strings.Repeat("x", rnd.IntN(1<<rnd.IntN(19))))
		}
		content := strings.Join(append(want, "end"[:rnd.IntN(4)]), "\n")
		want = strings.Split(strings.TrimSuffix(content, "\n"), "\n")
		if content == "" {
			want = nil
		}
		for _, r := range []io.Reader{strings.NewReader(content), iotest.HalfReader(strings.NewReader(content)), iotest.DataErrReader(strings.NewReader(content))} {
			if got := readLines(t, r); !slices.Equal(got, want) {
				t.Errorf("%d lines, want %d", len(got), len(want))
			}
		}
	}
}

func readLines(t *testing.T, r io.Reader) (lines []string) {
	t.Helper()
	for reader := newLineReader(r); ; {
		batch, err := reader.batch()
		for _, l := range batch {
			lines = append(lines, make([]string, l.number-1-len(lines))...) // blank lines
			if lines = append(lines, string(l.data)); l.number != len(lines) || l.tooLong {
				t.Errorf("line %d is called %d, too long: %v", len(lines), l.number, l.tooLong)
			}
		}
		if err == io.EOF {
			return append(lines, make([]string, reader.lines-len(lines))...)
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// Reading later lines does not overwrite the entries of earlier lines.
func TestBundleOfManyBatches(t *testing.T) {
	t.Parallel()
	var content strings.Builder
	text := func(i int) string { return strings.Repeat(fmt.Sprint(i, " "), 1000) }
	const entries = 5 * batchBytes / 4000
	for i := range entries {
		fmt.Fprintf(&content, `{"id":"e%04d","title":"T%d","body":%q}`+"\n", i, i, text(i))
	}
	s := loadBundle(t, content.String())
	if len(s.Entries()) != entries {
		t.Fatalf("%d entries, not %d: %v", len(s.Entries()), entries, s.Diagnostics())
	}
	for i, e := range s.Entries() {
		if encoded := string(e.Encoded()); e.Body.Text() != text(i) || e.Title != fmt.Sprint("T", i) || !strings.Contains(encoded, fmt.Sprintf(`"title":"T%d","body":%q`, i, text(i))) {
			t.Fatalf("entry %d is %.200s", i, encoded)
		}
	}
}

func TestCompressedBundle(t *testing.T) {
	t.Parallel()
	a, b := minimal("a")+"\n", minimal("b")+"\n"
	skippable := "\x5f\x2a\x4d\x18\x03\x00\x00\x00abc"
	for name, content := range map[string]string{
		"one frame":           compressed(t, a+b),
		"two frames":          compressed(t, a) + compressed(t, b),
		"cut within a line":   compressed(t, a+b[:5]) + compressed(t, b[5:]),
		"with skipped frames": skippable + compressed(t, a) + skippable + compressed(t, b) + skippable,
		"with empty frames":   compressed(t, "", zstd.WithZeroFrames(true)) + compressed(t, a+b),
	} {
		// The content, not the name, determines whether the file is compressed.
		for _, file := range []string{"b.jsonl", "b.jsonl.zst"} {
			s := loadSource(t, writeBundle(t, file, content))
			if got, want := summary(s), "a "+file+"\nb "+file; got != want {
				t.Errorf("%s in %s: got\n%s", name, file, got)
			}
		}
	}
}

// wholeFrame returns a frame without a window, which the decoder must hold in memory as
// a whole.
func wholeFrame(t *testing.T, size int) string {
	t.Helper()
	encoder, err := zstd.NewWriter(nil, zstd.WithSingleSegment(true))
	if err != nil {
		t.Fatal(err)
	}
	return string(encoder.EncodeAll(bytes.Repeat([]byte{' '}, size), nil))
}

func TestDamagedBundles(t *testing.T) {
	t.Parallel()
	var lines strings.Builder
	for i := range 8_000 {
		lines.WriteString(strings.Replace(minimal(fmt.Sprint("e", i)), `"B"`, fmt.Sprintf("%q", fmt.Sprint(i*i*i*7919)), 1) + "\n")
	}
	whole := compressed(t, lines.String())
	flipped := []byte(whole)
	flipped[len(flipped)/2] ^= 0x10
	for name, tt := range map[string]struct{ content, want string }{
		"cut short":            {whole[:len(whole)/2], "is cut short: copy it again"},
		"lacks its checksum":   {whole[:len(whole)-1], "is cut short: copy it again"},
		"cut short at once":    {whole[:4], "is cut short: copy it again"},
		"cut to nothing":       {"", "compressed data never is: copy it again"},
		"cut to its magic":     {whole[:3], "named .zst, but does not begin like"},
		"not compressed":       {minimal("a"), "name it NAME.jsonl if it is plain text"},
		"bit flipped":          {string(flipped), "is damaged: "},
		"followed by no frame": {whole + minimal("a"), "is damaged: "},
		"window":               {compressed(t, lines.String(), zstd.WithWindowSize(2*maxWindow)), "a window of more than 8 MiB"},
		"window as a whole":    {wholeFrame(t, maxWindow+1), "a window of more than 8 MiB"},
		"bomb":                 {compressed(t, strings.Repeat(strings.Repeat(" ", 1023)+"\n", freeExpansion>>10)+"\n"), "more than 20 times its size"},
		"bomb of one line":     {compressed(t, strings.Repeat("x", freeExpansion+1)), "more than 20 times its size"},
		"bomb of many lines":   {compressed(t, strings.Repeat("\n", freeLines+1)), "more than 10000 lines, which instructions of its size never do"},
		"no checksum":          {compressed(t, lines.String(), zstd.WithEncoderCRC(false)), "without checksums"},
		"one has no checksum":  {whole + compressed(t, minimal("a"), zstd.WithEncoderCRC(false)) + whole, "without checksums"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := writeBundle(t, "b.jsonl.zst", tt.content)
			s, err := New(path).Load(t.Context())
			if s != nil || err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "--dir") {
				t.Errorf("got %v, %v; want an error with %q", s, err, tt.want)
			}
			if err := New(path).Reread(t.Context(), nil, func(catalog.ID, string) {}); err != nil {
				t.Errorf("reading again: %v", err)
			}
		})
	}
}

func TestBundleThatCannotBeRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := New(filepath.Join(dir, "missing.jsonl")).Load(t.Context()); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "instruction bundle") {
		t.Errorf("missing: %v", err)
	}
	writeFiles(t, dir, map[string]string{"a.md": "text", "b.jsonl/c.md": "text"})
	if _, err := New(filepath.Join(dir, "a.md")).Load(t.Context()); err == nil || !strings.Contains(err.Error(), BundleNames) {
		t.Errorf("another file: %v", err)
	}
	expect(t, loadSource(t, filepath.Join(dir, "b.jsonl")), "c c.md") // a folder, despite its name
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(writeBundle(t, "b.jsonl", minimal("a"))).Load(ctx); err != context.Canceled {
		t.Errorf("ended: %v", err)
	}
}

// The number of diagnostics of a bundle is limited.
func TestMostOfABundleIsSaid(t *testing.T) {
	t.Parallel()
	warned := strings.Replace(minimal("a"), "10", `"10"`, 1) + "\n"
	s := loadBundle(t, strings.Repeat(warned, maxPerSeverity)+strings.Repeat("\n", 10)+warned)
	warnings := slices.DeleteFunc(slices.Clone(s.Diagnostics()), func(d catalog.Diagnostic) bool { return strings.Contains(d.Message, "already taken") })
	if len(warnings) != maxPerSeverity+1 { // one more counts the rest
		t.Errorf("kept %d", len(warnings))
	}
	const want = "b.jsonl: warning: 1 diagnostics of severity warning are left out of the 10001 for this bundle: fix the first of them"
	if got := warnings[0].String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A file that is not a bundle is rejected before it has been read completely.
func TestNoBundle(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("x\n", maxBroken)
	if s := loadBundle(t, minimal("a")+"\n"+many); len(s.Entries()) != 1 {
		t.Errorf("%d entries", len(s.Entries()))
	}
	for content, want := range map[string]string{
		minimal("a") + "\n" + many + "x": "more than 10000 of its lines are not instructions, the first of them line 2",
		strings.Repeat("\n", maxLines+1): "more than 2000000 lines",
	} {
		path := writeBundle(t, "b.jsonl", content)
		if s, err := New(path).Load(t.Context()); s != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, %v; want an error with %q", s, err, want)
		}
	}
}

// Only a limited number of lines is held at once, even if they are short.
func TestBatchesAreBounded(t *testing.T) {
	t.Parallel()
	reader := newLineReader(strings.NewReader(strings.Repeat("1\n", batchBytes)))
	for {
		batch, err := reader.batch()
		if len(batch) > batchBytes/lineCost {
			t.Fatalf("%d lines at once", len(batch))
		}
		if err == io.EOF {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func TestBundleReread(t *testing.T) {
	t.Parallel()
	path := writeBundle(t, "b.jsonl", minimal("a")+"\n"+minimal("b")+"\n"+minimal("c")+"\n"+minimal("d"))
	s := loadSource(t, path)
	verify := func() string {
		t.Helper()
		drifts, err := s.Verify(t.Context(), New(path).Reread, func(done, total int) {
			if done < 1 || done > total || total != 4 {
				t.Errorf("progress %d of %d", done, total)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, d := range drifts {
			ids = append(ids, string(d.ID)+"="+d.Actual)
		}
		return strings.Join(ids, " ")
	}
	if got := verify(); got != "" {
		t.Errorf("nothing was changed, drifted %s", got)
	}
	other := strings.Replace(minimal("b"), `"B"`, `"other"`, 1)
	writeFiles(t, filepath.Dir(path), map[string]string{"b.jsonl": strings.Join([]string{
		minimal("new"), minimal("D"), "", other, minimal("b"), minimal("a"), `{"id": "c"}`,
	}, "\n")})
	if got, want := verify(), "b="+string(catalog.FingerprintOf("other"))+" c="; got != want {
		t.Errorf("drifted %s, want %s", got, want)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if got := verify(); got != "a= b= c= d=" {
		t.Errorf("the bundle is gone, drifted %s", got)
	}
}

// The goroutines of a load end with it, at whatever point it is cancelled. If one did
// not, the synctest bubble would never finish.
func TestBundleLeavesNothingRunning(t *testing.T) {
	lines := strings.Repeat(minimal("a")+"\n", 1_000)
	plain := writeBundle(t, "b.jsonl", lines)
	packed := writeBundle(t, "b.jsonl.zst", compressed(t, lines))
	broken := writeBundle(t, "b.jsonl", compressed(t, lines)[:100])
	for i := range 10 {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%2 == 0 {
				go cancel()
			}
			for _, path := range []string{plain, packed, broken} {
				s, err := New(path).Load(ctx)
				if (s == nil) == (err == nil) {
					t.Errorf("got %v, %v", s, err)
				}
			}
		})
	}
}
