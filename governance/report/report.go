package report

import (
	"bufio"
	"io"
	"strings"
)

// Format is the format of a report.
type Format string

// The formats. A report in one of them is the only output on its stream.
const (
	JSON     Format = "json"     // for programs: {findings: [Finding]}; it can be a [Baseline]
	SARIF    Format = "sarif"    // SARIF 2.1.0, for code scanning
	JUnit    Format = "junit"    // JUnit XML, for tools that show test results
	GitHub   Format = "github"   // GitHub Actions workflow commands, which create annotations
	Markdown Format = "markdown" // for a comment on a pull request
)

// writers maps each format to the function that writes it.
var writers = map[Format]func(Report, io.Writer) error{
	JSON: Report.json, SARIF: Report.sarif, JUnit: Report.junit, GitHub: Report.github, Markdown: Report.markdown,
}

// Formats lists all formats, in display order.
var Formats = []Format{JSON, SARIF, JUnit, GitHub, Markdown}

// List joins names for display: a, b, c.
func List[T ~string](names []T) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = string(name)
	}
	return strings.Join(texts, ", ")
}

// Report is the result of one run.
type Report struct {
	Version       string             // of the program
	Findings      []Finding          // in output order
	Suppressed    []Suppressed       // suppressed findings
	Fails         func(Finding) bool // reports whether a finding fails the run
	Rules         []RuleDoc          // documentation of the rules that findings may have
	Summary       string             // one line of text
	Configuration string             // the settings of the repository that affected the findings, and their effect; "" for none
	Criteria      []string           // names of the criteria that texts were reviewed with; nil if there was no review
}

// Write writes the report to w in format f. It returns errors of w.
func (r Report) Write(w io.Writer, f Format) error {
	out := bufio.NewWriter(w)
	if err := writers[f](r, out); err != nil {
		return err
	}
	return out.Flush()
}

// CriteriaLine returns one line that lists the criteria that texts were reviewed with.
func CriteriaLine(names []string) string { return "criteria: " + OneLine(strings.Join(names, " + ")) }
