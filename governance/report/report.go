package report

import (
	"bufio"
	"io"
	"strings"
)

// Format names a form in which a report is written.
type Format string

// The formats. Each is written for one kind of reader, who gets nothing else on the
// same stream.
const (
	JSON     Format = "json"     // for programs: {findings: [Finding]}; it can be a [Baseline]
	SARIF    Format = "sarif"    // SARIF 2.1.0, for code scanning
	JUnit    Format = "junit"    // JUnit XML, for whatever shows the results of tests
	GitHub   Format = "github"   // commands of GitHub Actions, which become annotations
	Markdown Format = "markdown" // for the comment on a change
)

// writers has the function that writes each format.
var writers = map[Format]func(Report, io.Writer) error{
	JSON: Report.json, SARIF: Report.sarif, JUnit: Report.junit, GitHub: Report.github, Markdown: Report.markdown,
}

// Formats are all formats, in the order in which they are shown to people.
var Formats = []Format{JSON, SARIF, JUnit, GitHub, Markdown}

// List shows names as people write them: a, b, c.
func List[T ~string](names []T) string {
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = string(name)
	}
	return strings.Join(texts, ", ")
}

// Report is what one run found.
type Report struct {
	Version       string             // of the program
	Findings      []Finding          // in the order in which they are written
	Suppressed    []Suppressed       // that somebody has silenced
	Fails         func(Finding) bool // whether the run fails for a finding
	Rules         []RuleDoc          // that may be among them
	Summary       string             // one line for people
	Configuration string             // what the repository says of findings, and what came of it; "" for nothing
	Criteria      []string           // names of what texts were reviewed by; nil where none were
}

// Write writes the report in one format. An error is that of w.
func (r Report) Write(w io.Writer, f Format) error {
	out := bufio.NewWriter(w)
	if err := writers[f](r, out); err != nil {
		return err
	}
	return out.Flush()
}

// CriteriaLine names, on one line, the criteria that texts were reviewed by.
func CriteriaLine(names []string) string { return "criteria: " + OneLine(strings.Join(names, " + ")) }
