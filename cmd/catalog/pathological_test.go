//go:build linux

package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

var pathologicalSize = flag.Int("pathological", 2<<10, "the size in bytes of the texts that a parser may take long for")

const (
	callLimit   = 30 * time.Second // of a tool call
	memoryLimit = 300 << 20
)

// pathological returns texts of about the given size, in shapes for which a parser may
// need too much time or memory.
func pathological(size int) map[string]string {
	repeat := func(part string) string { return strings.Repeat(part, size/len(part)+1) }
	each := func(line func(i int) string) string {
		var text strings.Builder
		for i := 1; text.Len() < size; i++ {
			text.WriteString(line(i))
		}
		return text.String()
	}
	around := func(open, part, end string) string {
		return strings.Repeat(open, 400) + repeat(part) + strings.Repeat(end, 400)
	}
	texts := map[string]string{
		"deeper list":           each(func(i int) string { return strings.Repeat("  ", i) + "- a\n" }),
		"deeper quote":          each(func(i int) string { return strings.Repeat(">", i) + " a\n" }),
		"lists and blanks":      strings.Repeat("- ", 90) + "a\n" + repeat("\n"),
		"lists and lines":       strings.Repeat("- ", 90) + "a\n" + repeat("b\n"),
		"quotes and lines":      strings.Repeat("> ", 90) + "a\n" + repeat("b\n"),
		"growing backticks":     each(func(i int) string { return strings.Repeat("`", i) + " " }),
		"growing fences":        each(func(i int) string { return strings.Repeat("`", i+2) + "\n" }),
		"brackets around code":  around("[", "`a`\n", "]"),
		"brackets around text":  around("[", "a\n", "]"),
		"images around links":   around("![", "[a](b.md) ", "](c.md)"),
		"nested links":          around("[a", "b", "](b.md)"),
		"emphasis in a heading": "# " + repeat("*a_b"),
		"emphasis that is open": "# " + repeat("*a ") + repeat("b_ "),
		"underlined paragraph":  repeat("*a _b\n") + "===\n",
		"definitions":           each(func(i int) string { return fmt.Sprintf("[a%d]: b.md\n", i) }) + "\n" + each(func(i int) string { return fmt.Sprintf("[a%d] ", i) }),
		"definition, then text": repeat("[a]: b\n") + "[a]: b 'c\n" + repeat("d\n"),
		"long label":            repeat("[" + strings.Repeat("a", 990) + "] "),
		"long wikilink":         "[[" + repeat("a") + "]]",
		"long link":             "[a](" + repeat("%20") + ".md)",
		"table":                 repeat("|a") + "\n" + repeat("|-") + "\n" + repeat("|[[b]]"),
		"wide tables":           repeat("|[[a]]|[b](c.md)|\n|-|-|\n"),
		"tabs":                  "-\ta\n" + repeat("\t[a](b.md)\n"),
		"blanks":                repeat(" ") + "a",
		"fence that is open":    "```\n" + repeat("[[a]]\n"),
		"names":                 each(func(i int) string { return fmt.Sprintf("[[n%d]] ", i) }),
		"headings":              each(func(i int) string { return fmt.Sprintf("# Heading %d\n", i) }),
		"combining characters":  "e" + repeat("\u0301"),
		"no blank":              repeat("\u65e5\u672c\u8a9e"),
	}
	for name, part := range map[string]string{
		"quotes": "> ", "tight quotes": ">", "lists": "- ", "numbers": "1. ", "lists in quotes": "- 1. > ", "stars": "* ", "lists with tabs": "-\t",
		"brackets": "[", "images": "![", "bangs": "!", "wikilinks that are open": "[[a ", "embeds that are open": "![[", "closing brackets": "]",
		"links that are open": "[a](", "links with open angles": "[a](<b", "links with open titles": "[a](b (c\n", "links on lines": "[a](\n", "references": "[a][",
		"shortcuts": "[a] ", "labels on lines": "[a\n", "emphasis": "*_", "emphasis of words": "*a_ ", "backticks": "`a``", "backticks on lines": "`a\n``b\n",
		"tags that are open": "<a b='", "tags on lines": "<a b\n", "less than": "x<", "comments": "x <!-- a\n", "instructions": "x <? a\n", "sections": "x <![CDATA[ a\n",
		"declarations": "x <!A a\n", "html blocks": "<div>\n\n", "addresses": "<http://a", "mail": "<a@b.", "entities": "&amp;", "numbered entities": "&#1", "ampersands": "&",
		"short lines": "a\n", "carriage returns": "a\r", "rules": "***\n", "underlines": "a\n===\n", "escapes": "\\[", "zeros": "\x00", "items": "- a\n", "empty items": "-\n",
		"loose items": "- a\n\n", "indented code": "    a\n\n", "fences": "```\n", "wikilinks": "[[a]] ", "links": "[a](b.md) ", "words": "word ", "hashes": "#a ", "mentions": "@a.md ",
	} {
		texts[name] = repeat(part)
	}
	for name, front := range map[string]string{
		"nested lists": "a: " + repeat("["), "nested objects": "a: " + repeat("{a: "), "keys": repeat("? "), "dashes": "a:\n" + repeat("- ") + "b",
		"indentation": each(func(i int) string { return strings.Repeat(" ", i) + "a:\n" }), "names": each(func(i int) string { return fmt.Sprintf("a%d: b\n", i) }),
		"names with aliases": "x: &x y\n" + each(func(i int) string { return fmt.Sprintf("a%d: *x\n", i) }),
		"laughs":             "a0: &a0 \"[[x]]\"\n" + each(func(i int) string { return fmt.Sprintf("a%d: &a%d [*a%d, *a%d, *a%d]\n", i, i, i-1, i-1, i-1) }),
		"anchors":            each(func(i int) string { return fmt.Sprintf("a%d: &a%d [b]\n", i, i) }),
		"tags":               "tags: [" + repeat("a, ") + "b]", "quoted tags": "tags: [" + repeat("'a', ") + "b]", "links": "up: [" + repeat("\"[[a]]\", ") + "b]",
		"text": "a: \"" + repeat("x\n") + "\"", "open links": "a: \"" + repeat("[[") + "\"", "block": "a: |\n" + repeat("  x\n"), "folded": "a: >\n" + repeat("  x\n\n"),
		"comments": "a: {b: c}\n" + repeat("# x\n"), "comments in a list": "a: [\n" + repeat("b, # x\n") + "]", "documents": repeat("a: {b: c}\n...\n"),
		"colons": repeat("a: "), "marks": repeat("!"), "merges": "a: &a {x: y}\n" + repeat("<<: *a\n"), "title": "title: " + repeat("\u00e9"), "one line": "title: " + repeat("a "),
	} {
		texts["front matter: "+name] = "---\n" + front + "\n---\n# T\n\n[[a]]\n"
	}
	return texts
}

// writePathological writes at least 300 files with such texts in several sizes, and
// returns their paths.
func writePathological(t *testing.T, dir string, size int) []string {
	t.Helper()
	files := map[string]string{
		"a.md": "# A\n\n[[b]]\n", "b.md": "# B\n\n[[a]]\n", "issue.md": "[[a]]\n\n" + strings.Repeat("> ", 250_000), "issue-list.md": strings.Repeat("- ", 250_000) + "a",
	}
	for k, size := range []int{size / 16, size / 4, size} {
		texts := pathological(size)
		for i, name := range slices.Sorted(maps.Keys(texts)) {
			files[fmt.Sprintf("f%d/%d-%d.md", i%7, k, i)] = texts[name]
		}
	}
	for i := range 60 { // a name that many notes share, and links to it
		files[fmt.Sprintf("same/%d/same.md", i)] = strings.Repeat("[[same]] [[SAME]] ", size/64)
	}
	writeVault(t, dir, files)
	return slices.Sorted(maps.Keys(files))
}

// For any texts in a vault or a catalog, no call exceeds its time limit and no process
// its memory limit.
func TestPathologicalTexts(t *testing.T) {
	t.Parallel()
	p := build(t)
	notes, rules := t.TempDir(), t.TempDir()
	ids := writePathological(t, notes, *pathologicalSize)
	writePathological(t, filepath.Join(rules, "instructions"), *pathologicalSize)
	writeVault(t, rules, map[string]string{"AGENTS.md": pathological(*pathologicalSize)["mentions"], ".cursor/rules/deep.mdc": strings.Repeat("> ", 100_000)})
	vault := &timed{s: p.serveNotes(t, notes)}
	for _, id := range ids {
		quoted, _ := json.Marshal(id)
		vault.call("notes/get_node", fmt.Sprintf(`{"id":%s,"depth":1}`, quoted))
	}
	for _, call := range [][2]string{
		{"get_hubs", `{"metric":"pagerank"}`}, {"search_text", `{"query":"word same heading","limit":50}`}, {"search_by_tags", `{"tags":["a"],"limit":100}`},
		{"find_path", `{"source":"a.md","target":"same/1/same.md"}`}, {"get_neighbors", `{"id":"a.md","limit":50}`}, {"random_node", `{}`},
		{"create_node", `{"title":"Same","content":"[[same]]"}`}, {"update_node", `{"id":"a.md","title":"Another","tags":["x"]}`},
		{"update_node", `{"id":"issue.md","tags":["x"],"title":"Deep"}`}, {"update_node", `{"id":"same/1/same.md","title":"Different"}`}, {"delete_node", `{"id":"b.md"}`},
	} {
		if r := vault.call("notes/"+call[0], call[1]); r.Error != nil {
			t.Errorf("%s %s: %.500s", call[0], call[1], r.line)
		}
	}
	for _, id := range ids[:8] {
		quoted, _ := json.Marshal(id)
		vault.call("notes/update_node", fmt.Sprintf(`{"id":%s,"title":"Renamed","tags":["y"]}`, quoted))
	}
	vault.end()
	catalog := &timed{s: p.serve(t, rules)}
	for _, call := range [][2]string{
		{"instructions/list", `{}`}, {"instructions/search", `{"q":"same"}`}, {"instructions/search", `{"q":"a heading","mode":"ranked"}`}, {"health/check", `{}`},
	} {
		if r := catalog.call(call[0], call[1]); r.Error != nil {
			t.Errorf("%s %s: %.500s", call[0], call[1], r.line)
		}
	}
	catalog.end()
	for _, args := range [][]string{{"notes", "check", "--notes", notes}, {"verify", "--dir", rules, "--review", "none"}} {
		s := p.start(t, args...)
		s.in.Close()
		out, _ := s.out.ReadString(0)
		if s.wait() != exitFindings {
			t.Errorf("%v: exit code %d: %s", args, s.wait(), &s.stderr)
		}
		if most := s.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10; most > memoryLimit {
			t.Errorf("%v: %d MiB in memory", args, most>>20)
		}
		if !strings.Contains(out, "nested too deeply") {
			t.Errorf("%v does not name what is nested too deeply: %.1000s", args, out)
		}
	}
}

// timed is a session that measures its calls.
type timed struct {
	s       *session
	slowest time.Duration
	which   string
}

func (x *timed) call(method, params string) response {
	x.s.t.Helper()
	start := time.Now()
	r := x.s.call(method, params)
	took := time.Since(start)
	if took > x.slowest {
		x.slowest, x.which = took, method+" "+params
	}
	if took > callLimit {
		x.s.t.Errorf("%s %s took %v", method, params, took)
	}
	return r
}

func (x *timed) end() {
	x.s.t.Helper()
	most := x.s.memory("VmHWM")
	x.s.t.Logf("the slowest call took %v: %s; %d MiB in memory", x.slowest.Round(time.Millisecond), x.which, most>>20)
	if most > memoryLimit {
		x.s.t.Errorf("%d MiB in memory", most>>20)
	}
	x.s.end()
}
