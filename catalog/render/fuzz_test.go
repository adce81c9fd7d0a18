package render_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/render"
)

// FuzzSection checks the section of any body. Each line that comes from the body is
// unchanged, or is a heading with more "#" or another underline. Only blank lines and
// underlines are dropped.
func FuzzSection(f *testing.F) {
	for _, body := range []string{
		"# A\n\n## B\ntext\n", "A\n=\n\nB\n-\n\n### C ###\n", "text\n\n# A\n", "\n\n  # A\r\n\r\nB\r\n---\r\n", "```\n# code\n", "> # quoted\n\n- # item\n",
		"###### deep\n\nx\n\n# top\n", "two\nlines\n=====\n\na\nb\n---\n", "\f\n#", "#\n", "a\n===", "~~~~\ncode\n~~~", "<!-- note", "- ```\n  code\n",
	} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		if strings.TrimSpace(body) == "" || render.HasMarker([]byte(body)) || !utf8.ValidString(body) {
			return
		}
		e := catalog.NewEntry(catalog.Instruction{ID: "x", Title: "T", Body: body}, catalog.Origin{Path: "x.md", Format: "markdown"})
		files, _ := render.Files([]render.Source{{Entry: e}}, []*agents.Target{agents.TargetNamed("agents")})
		if len(files) != 1 || len(files[0].Sections) != 1 {
			t.Fatalf("%+v", files)
		}
		s := files[0].Sections[0]
		text := string(files[0].Content[s.Start:s.End])
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) != len(s.Lines) || !strings.HasSuffix(text, "\n") {
			t.Fatalf("%d lines, %d numbers: %q", len(lines), len(s.Lines), text)
		}
		if err := compareLines(strings.Split(strings.ReplaceAll(body, "\r\n", "\n"), "\n"), lines, s.Lines); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
	})
}

// compareLines compares the lines of a section with the lines of the body that they
// come from.
func compareLines(body, lines []string, numbers []int) error {
	kept := map[int]bool{}
	for i, n := range numbers {
		if n < 0 {
			continue
		}
		kept[n] = true
		same := body[n] == lines[i] || strings.ReplaceAll(body[n], "=", "-") == lines[i]
		if words := strings.Join(strings.Fields(body[n]), " "); !same && !strings.Contains(strings.Join(strings.Fields(lines[i]), " "), strings.TrimLeft(words, "#> ")) {
			return fmt.Errorf("line %d is %q, in the body %q", i, lines[i], body[n])
		}
	}
	text := strings.Join(lines, "\n")
	for n, line := range body {
		lost := strings.Trim(line, "=- \t\n\v\f\r\u0085\u00a0") // blanks, or an underline
		if !kept[n] && lost != "" && !strings.Contains(text, strings.Join(strings.Fields(line), " ")) {
			return fmt.Errorf("line %d of the body is lost: %q", n, line)
		}
	}
	return nil
}
