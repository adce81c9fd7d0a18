package crosscheck_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/crosscheck"
	"instruction-catalog/governance/report"
)

// entry returns an entry with an ID and a body, changed by the functions in more.
func entry(id, body string, more ...func(*catalog.Instruction)) *catalog.Entry {
	i := catalog.Instruction{ID: catalog.ID(id), Title: "Title of " + id, Body: body, Priority: 1, Audience: catalog.Everybody, Requirement: catalog.Optional}
	for _, f := range more {
		f(&i)
	}
	return catalog.NewEntry(i, catalog.Origin{Path: path.Join("dir", id+".md"), BodyLine: 3, Format: "markdown"})
}

// find returns the findings about entries: the rule, place and related places of each.
func find(entries ...*catalog.Entry) (found []string) {
	for _, f := range findings(entries...) {
		line := fmt.Sprint(f.Rule, " ", f.Place)
		for _, p := range f.Related {
			line += " " + p.String()
		}
		found = append(found, line)
	}
	return found
}

func findings(entries ...*catalog.Entry) []report.Finding {
	return crosscheck.Find(catalog.NewSnapshot(entries, nil), crosscheck.View{
		Place: func(e *catalog.Entry, line int) report.Place {
			return report.Place{Path: e.Origin.Path, Line: max(line, 1)}
		},
		Quote: func(_ *catalog.Entry, part string) string { return strings.ReplaceAll(part, "Sesame7", "S…7") },
	})
}

func expect(t *testing.T, name string, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%s:\n got %q\nwant %q", name, got, want)
	}
}

func category(names ...string) func(*catalog.Instruction) {
	return func(i *catalog.Instruction) { i.Categories = names }
}

func deprecatedBy(id string) func(*catalog.Instruction) {
	return func(i *catalog.Instruction) { i.DeprecatedBy = id }
}

func supersedes(id string) func(*catalog.Instruction) {
	return func(i *catalog.Instruction) { i.Supersedes = id }
}

// prose returns the given number of distinct words.
func prose(words int) []string {
	text := make([]string, words)
	for i := range text {
		text[i] = fmt.Sprintf("word%d", i)
	}
	return text
}

func TestDuplicates(t *testing.T) {
	t.Parallel()
	text := strings.Join(prose(100), " ")
	expect(t, "the same", find(entry("a", "Run the tests."), entry("b", "Run the tests."), entry("c", "Run the tests.")),
		"duplicate dir/b.md:1 dir/a.md:1", "duplicate dir/c.md:1 dir/a.md:1")
	expect(t, "another", find(entry("a", "Run the tests."), entry("b", "Read the log.")))
	expect(t, "case and punctuation", find(entry("a", "Run the tests, always."), entry("b", "* run the TESTS always")),
		"near-duplicate dir/b.md:1 dir/a.md:1")
	expect(t, "without blanks between words", find(entry("a", "提交前请运行所有测试"), entry("b", "提交前请运行所有测试。")),
		"near-duplicate dir/b.md:1 dir/a.md:1")
	expect(t, "one is the successor", find(entry("a", text, deprecatedBy("b")), entry("b", text+" more")))
	expect(t, "few words", find(entry("a", "Run tests!"), entry("b", "Run tests."), entry("c", "Run tests.")))
}

// TestNearDuplicates checks the threshold for near duplicates. Two texts of 100 words
// with three different words share 0.83 of their shingles; with five, they share 0.72.
func TestNearDuplicates(t *testing.T) {
	t.Parallel()
	for changed, want := range map[int]string{
		1: "near-duplicate dir/b.md:1 dir/a.md:1", 3: "near-duplicate dir/b.md:1 dir/a.md:1", 5: "", 50: "",
	} {
		words := prose(100)
		a := strings.Join(words, " ")
		for i := range changed {
			words[5+i*90/changed] = "other"
		}
		got := strings.Join(find(entry("a", a), entry("b", strings.Join(words, " "))), "; ")
		if got != want {
			t.Errorf("%d words of 100 changed: got %q, want %q", changed, got, want)
		}
	}
}

func TestContradictions(t *testing.T) {
	t.Parallel()
	const found = "contradiction dir/b.md:1 dir/a.md:1"
	for _, tt := range []struct{ a, b, want string }{
		{"Use tabs.", "Do not use tabs.", found},
		{"Always use tabs.", "Never use tabs.", found},
		{"- **Always** use `tabs`", "You must not use tabs!", found},
		{"Use tabs", "Don’t use tabs", found},
		{"Use tabs and\nnothing else.", "Please never use tabs and nothing else.", found},
		{"Log secrets: they help.", "We should not log secrets.", found},
		{"Tests sleep.", "Tests must not sleep.", found},
		{"Tests always sleep.", "Tests never sleep.", found},
		{"Tests should sleep.", "Tests must never sleep.", found},
		{"Tests may sleep.", "Tests may not sleep.", found},
		{"Use tabs always!", "Don't ever use tabs.", found},
		{"Use C++.", "Never use C.", ""},
		{"Use tabs.", "You do not always use tabs.", ""},
		{"If in doubt, guess.", "If in doubt, do not guess.", found},
		{"Use tabs.", "Never use spaces.", ""},
		{"Use tabs.", "Do not use tabs in YAML.", ""},
		{"Use tabs.", "Do not always use tabs.", ""},
		{"Never use tabs.", "Do not use tabs.", ""},
		{"Do you use tabs?", "Never use tabs.", ""},
		{"If X is set, return early.", "If X is not set, return early.", ""},
		{"If you know it, write.", "If you do not know it, write.", ""},
		{"Use it.", "Never use it.", ""},
		{"```\nuse tabs\n```", "Never use tabs.", ""},
		{"Use tabs. Never use tabs.", "Rest.", ""},
	} {
		got := strings.Join(find(entry("a", tt.a), entry("b", tt.b)), "; ")
		if got != tt.want {
			t.Errorf("%q, %q: got %q, want %q", tt.a, tt.b, got, tt.want)
		}
	}
	expect(t, "on the line where it stands", find(entry("a", "Intro text.\n\n1. Wrap errors.\n2. Use tabs."), entry("b", "X y.\n\nNever use tabs.")),
		"contradiction dir/b.md:3 dir/a.md:4")
}

// TestSecretsAreNotQuoted checks that secrets are neither in messages nor in the
// matches that identify findings.
func TestSecretsAreNotQuoted(t *testing.T) {
	t.Parallel()
	for _, f := range findings(
		entry("a", "Log in with Sesame7 first. Use tabs with Sesame7. Prefer Sesame7 over night."),
		entry("b", "Never log in with Sesame7 first. See [[Sesame7]]. Use spaces with Sesame7. Prefer night over Sesame7."),
	) {
		if told := strings.ToLower(f.Message + f.Match); strings.Contains(told, "sesame7") || !strings.Contains(told, "s…7") {
			t.Errorf("%s: %q, %q", f.Rule, f.Message, f.Match)
		}
	}
}

// TestContradictionsBetweenWhom checks that only entries for the same readers and
// subjects that are not deprecated contradict each other.
func TestContradictionsBetweenWhom(t *testing.T) {
	t.Parallel()
	audience := func(a catalog.Audience) func(*catalog.Instruction) {
		return func(i *catalog.Instruction) { i.Audience = a }
	}
	with := func(a, b func(*catalog.Instruction)) bool {
		return find(entry("a", "Use tabs.", a), entry("b", "Never use tabs.", b)) != nil
	}
	for name, got := range map[string]bool{
		"a category in common":  with(category("go", "style"), category("style", "yaml")),
		"one without any":       with(category("go"), category()),
		"all and one":           with(audience(catalog.Everybody), audience(catalog.Group)),
		"other categories":      !with(category("go"), category("yaml")),
		"other people":          !with(audience(catalog.Individual), audience(catalog.Group)),
		"one is out of date":    !with(deprecatedBy("b"), category()),
		"one took the other in": !with(category(), supersedes("a")),
	} {
		if !got {
			t.Error(name)
		}
	}
}

func TestDeadReferences(t *testing.T) {
	t.Parallel()
	living := entry("living", "Alone it stands.")
	expect(t, "fields", find(entry("a", "Some text here.", deprecatedBy("gone"), supersedes("went")), entry("b", "x", supersedes("living")), living),
		"dead-reference dir/a.md:1", "dead-reference dir/a.md:1")
	expect(t, "links", find(living, entry("a", "See [[living]], [[Living|that]], [[title of living#part]],\n[[dir/living.md]] and [[gone|this]].")),
		"dead-reference dir/a.md:2")
	expect(t, "code", find(entry("a", "`[[gone]]` and\n\n```sh\nif [[ -f x ]]; then\n```\n\n    [[ indented ]]\n")))
	expect(t, "nested too deeply", find(entry("a", "See [[gone]].\n\n"+strings.Repeat("> ", 10_000))), "not-parsed dir/a.md:1")
	for _, f := range findings(entry("a", "See [[gone|this]].", deprecatedBy("went"))) {
		if !strings.Contains(f.Message, `"gone"`) && !strings.Contains(f.Message, `"went"`) {
			t.Errorf("%q does not name the target", f.Message)
		}
	}
}

func TestCycles(t *testing.T) {
	t.Parallel()
	expect(t, "a chain", find(entry("a", "a", deprecatedBy("b")), entry("b", "b", deprecatedBy("c")), entry("c", "c", supersedes("b"))))
	expect(t, "two ways of saying it", find(entry("a", "a", deprecatedBy("b")), entry("b", "b", supersedes("a"))))
	expect(t, "itself", find(entry("a", "a", deprecatedBy("a"))), "successor-cycle dir/a.md:1")
	expect(t, "three, with a way in", find(entry("b", "b", deprecatedBy("c")), entry("c", "c", deprecatedBy("d")), entry("d", "d", deprecatedBy("b")),
		entry("a", "a", deprecatedBy("d"))), "successor-cycle dir/b.md:1 dir/c.md:1 dir/d.md:1")
	expect(t, "by supersedes", find(entry("a", "a", supersedes("b")), entry("b", "b", supersedes("a"))), "successor-cycle dir/a.md:1 dir/b.md:1")
	found := findings(entry("x", "x", deprecatedBy("y")), entry("y", "y", deprecatedBy("x")))
	if len(found) != 1 || !strings.Contains(found[0].Message, "x, y") {
		t.Errorf("not all members are named: %v", found)
	}
}

// FuzzFind checks that for any two bodies, each finding names an entry and an existing
// line.
func FuzzFind(f *testing.F) {
	f.Add("Use tabs. [[gone]]", "Never use tabs,\nor `[[x]]`")
	f.Add("```\nx", "If not,\r\n\r\n- [ ] don't")
	f.Add("[[a\x00]]\xff", "’n't n't , , !")
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, found := range findings(entry("a", a), entry("b", b)) {
			body := map[catalog.ID]string{"a": a, "b": b}[found.Entry]
			if found.Line > 1+strings.Count(body, "\n") || found.Message == "" || found.Severity != report.Warning {
				t.Errorf("%+v", found)
			}
		}
	})
}
