package format

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// affordable is the maximum number of bytes that reading a hostile file may allocate in
// total.
const affordable = 100 << 20

// spending returns the number of bytes that do allocates. Nothing else may run at the
// same time, so a test that calls it must not be parallel. The race detector would find
// nothing in it.
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

// hostileFronts returns front matter of shapes that libraries take longest to parse,
// each about size bytes long.
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
	const fences = 100 // bytes, with some to spare
	for _, size := range []int{maxFront - fences, 2 << 20} {
		for name, front := range hostileFronts(size) {
			var r Outcome
			content := front + front[:3] + "\n# Title\n\nText.\n"
			if spent := spending(t, func() { r = interpretText("a.md", content) }); spent > affordable {
				t.Errorf("%s of %d bytes: %d bytes were allocated", name, size, spent)
			}
			if refused := strings.Contains(said(r), "and only 64 KiB are read"); refused != (size > maxFront) {
				t.Errorf("%s of %d bytes: said %.200s", name, size, said(r))
			}
		}
	}
}

// The size limit of front matter does not apply to the body, which may be much larger.
func TestFrontMatterOfTheSizeThatMayBe(t *testing.T) {
	t.Parallel()
	most := "#" + strings.Repeat(" ", maxFront-2) // maxFront bytes with the newline after it
	for _, fence := range []string{"---\n", "+++\n"} {
		front := strings.Replace(most, "# ", "#\n", 1)
		text := "# Title\n\n" + strings.Repeat("Text.\n", 1000)
		if r := interpretText("a.md", fence+front+"\n"+fence+text); r.Entry == nil || len(r.Diagnostics) > 0 || r.Entry.Body.Text() != text {
			t.Errorf("%s: said %.200s", fence, said(r))
		}
		if r := interpretText("a.md", fence+front+" \n"+fence+text); r.Entry != nil || said(r) != "1: error: the front matter has 65537 bytes, and only 64 KiB are read: move what is not a field to the text below it" {
			t.Errorf("%s: said %.200s", fence, said(r))
		}
	}
}

// The TOML library compares each name with all names before it.
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
	if r := interpretText("a.md", "+++\n"+each("k%d = 1\n", maxNames)+"+++\n# Title\n"); r.Entry == nil {
		t.Errorf("as many as may be: said %.200s", said(r))
	}
}

func TestHostileJSON(t *testing.T) {
	const (
		size    = 4<<20 - 1000
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
		var r Outcome
		content := strings.Replace(jsonWith("", ""), "{", "{"+tt.content+",", 1)
		if spent := spending(t, func() { r = interpretText("a.json", content) }); spent > affordable {
			t.Errorf("%s: %d bytes were allocated", name, spent)
		}
		if !strings.Contains(said(r), tt.said) {
			t.Errorf("%s: said %.200s", name, said(r))
		}
	}
}
