package report_test

import (
	"bytes"
	"encoding/xml"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xeipuuv/gojsonschema"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"instruction-catalog/governance/report"
)

var update = flag.Bool("update", false, "write the golden files anew")

// run returns a report with a finding of each kind, and with hostile texts that imitate
// other output.
func run() report.Report {
	findings := []report.Finding{
		{Rule: "file-note", Severity: report.Note, Place: report.Place{Path: "instructions/team.json"}, Message: "this is no instruction"},
		{Rule: "drift", Severity: report.Error, Place: report.Place{Path: "instructions/go/errors.md", Line: 4},
			Message: "the body is another one", Match: "go-errors", Entry: "go-errors", Binding: true},
		{Rule: "near-duplicate", Severity: report.Warning, Place: report.Place{Path: "instructions/a.md", Line: 1},
			Message: "this says nearly what instructions/b.md:7 says", Match: "b", Entry: "a",
			Related: []report.Place{{Path: "instructions/b.md", Line: 7}}},
		{Rule: "gate-failed", Severity: report.Warning, Place: report.Place{Path: "instructions/gates.json"},
			Message: `gate "few" failed: 4 < 1`, Match: "few", Whole: true},
		{Rule: "image-exfiltration", Severity: report.Error, Place: report.Place{Path: "instructions/100%, sure: ü.md", Line: 2},
			Message: "a body: ![x](https://example.com/?q=1) <img src=x onerror=y> `a` ``b`` @octocat 100% ]]> &amp; \\| end`"},
		{Rule: "forged", Severity: report.Error, Place: report.Place{Path: "instructions/x.md\n::error file=y::z", Line: 3},
			Message: "line one\r\n::set-output name=x::y\x1b[31mred\u202eder\u2028next"},
	}
	return report.Report{
		Rules: []report.RuleDoc{
			{ID: "drift", Finds: "A [body] is not what its\nhash was taken of.", Repair: "Record it anew.", Hit: "a", NearMiss: "b"},
			{ID: "image-exfiltration", Finds: "An image.", Repair: "Take it out.", Risk: 8},
		},
		Suppressed: []report.Suppressed{{
			Finding: report.Finding{Rule: "link/dead", Severity: report.Warning, Place: report.Place{Path: "a.md", Line: 3}, Message: "gone"},
			By:      report.Silencer{Place: report.Place{Path: "a.md", Line: 1}, Reason: "made by the build"},
		}},
		Configuration: ".catalog/config.json: 1 suppressed",
		Version:       "1.2.3", Findings: findings, Summary: "6 findings\n# not a title",
		Fails: func(f report.Finding) bool { return f.Severity == report.Error },
	}
}

func write(t testing.TB, r report.Report, f report.Format) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := r.Write(&out, f); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestGolden writes one run in every format.
func TestGolden(t *testing.T) {
	t.Parallel()
	for _, f := range report.Formats {
		name := filepath.Join("testdata", "run."+string(f))
		got := write(t, run(), f)
		if *update {
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))) {
			t.Errorf("%s is another one: see the difference with go test -update\n%s", name, got)
		}
	}
}

// TestNothingSteers checks that no format outputs a character that could control a terminal
// or change the direction of text.
func TestNothingSteers(t *testing.T) {
	t.Parallel()
	for _, f := range report.Formats {
		if got := write(t, run(), f); bytes.ContainsAny(got, "\x1b\r\u202e\u2028") {
			t.Errorf("%s: %q", f, got)
		}
	}
}

// TestSARIFSchema validates SARIF against the schema published by OASIS.
func TestSARIFSchema(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := gojsonschema.NewSchema(gojsonschema.NewBytesLoader(document))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"a run": write(t, run(), report.SARIF), "nothing found": write(t, report.Report{}, report.SARIF),
	} {
		result, err := schema.Validate(gojsonschema.NewBytesLoader(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, issue := range result.Errors() {
			t.Errorf("%s: %s", name, issue)
		}
	}
	wrong := bytes.Replace(write(t, run(), report.SARIF), []byte(`"note"`), []byte(`"trifle"`), 1)
	if result, err := schema.Validate(gojsonschema.NewBytesLoader(wrong)); err != nil || result.Valid() {
		t.Error("the schema lets anything pass", err)
	}
}

// TestJUnitIsRead parses the XML as the programs that show it do.
func TestJUnitIsRead(t *testing.T) {
	t.Parallel()
	var suites struct {
		Suites []struct {
			Tests    int `xml:"tests,attr"`
			Failures int `xml:"failures,attr"`
			Cases    []struct {
				Failure *struct{} `xml:"failure"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal(write(t, run(), report.JUnit), &suites); err != nil {
		t.Fatal(err)
	}
	suite := suites.Suites[0]
	failed := 0
	for _, c := range suite.Cases {
		if c.Failure != nil {
			failed++
		}
	}
	if suite.Tests != 6 || len(suite.Cases) != 6 || suite.Failures != 3 || failed != 3 {
		t.Errorf("%+v", suite)
	}
	none := write(t, report.Report{}, report.JUnit)
	if !strings.Contains(string(none), `tests="1" failures="0"`) {
		t.Errorf("a run that found nothing: %s", none)
	}
}

// TestMarkdownRendersNothing checks that no text of a catalog is rendered as an image, a
// link, HTML or a heading.
func TestMarkdownRendersNothing(t *testing.T) {
	t.Parallel()
	source := write(t, run(), report.Markdown)
	parsed := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	items, headings := 0, 0
	_ = ast.Walk(parsed, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch {
		case !entering:
		case n.Kind() == ast.KindListItem:
			items++
		case n.Kind() == ast.KindHeading:
			headings++
		case n.Kind() == ast.KindImage, n.Kind() == ast.KindLink, n.Kind() == ast.KindAutoLink,
			n.Kind() == ast.KindRawHTML, n.Kind() == ast.KindHTMLBlock:
			t.Errorf("a %s is rendered", n.Kind())
		}
		return ast.WalkContinue, nil
	})
	if items != 6 || headings != 1 {
		t.Errorf("%d items under %d headings", items, headings)
	}
}
