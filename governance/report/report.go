package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format names a form in which a report is written.
type Format string

// The formats. All but Text are written for one kind of reader each, who gets
// nothing else on the same stream.
const (
	Text     Format = "text"     // for people: path:line: severity: message, and a summary
	JSON     Format = "json"     // for programs: {findings: [Finding]}; it can be a [Baseline]
	SARIF    Format = "sarif"    // SARIF 2.1.0, for code scanning
	JUnit    Format = "junit"    // JUnit XML, for whatever shows the results of tests
	GitHub   Format = "github"   // commands of GitHub Actions, which become annotations
	Markdown Format = "markdown" // for the comment on a change
)

// writers has the function that writes each format.
var writers = map[Format]func(Report, io.Writer) error{
	Text: Report.text, JSON: Report.json, SARIF: Report.sarif,
	JUnit: Report.junit, GitHub: Report.github, Markdown: Report.markdown,
}

// Formats are all formats, in the order in which they are shown to people.
var Formats = []Format{Text, JSON, SARIF, JUnit, GitHub, Markdown}

// ParseFormat returns the format of that name.
func ParseFormat(name string) (Format, error) {
	if slices.Contains(Formats, Format(name)) {
		return Format(name), nil
	}
	return "", fmt.Errorf("%q is no format: name one of %s", name, List(Formats))
}

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
	Version  string             // of the program
	Findings []Finding          // in the order in which they are written
	Fails    func(Finding) bool // whether the run fails for a finding
	Summary  string             // one line for people
	Criteria []string           // names of what texts were reviewed by; nil where none were
}

// Write writes the report in one format. An error is that of w.
func (r Report) Write(w io.Writer, f Format) error {
	out := bufio.NewWriter(w)
	if err := writers[f](r, out); err != nil {
		return err
	}
	return out.Flush()
}

func (r Report) text(w io.Writer) error {
	for _, f := range r.Findings {
		fmt.Fprintln(w, f)
	}
	if r.Criteria != nil {
		fmt.Fprintln(w, CriteriaLine(r.Criteria))
	}
	_, err := fmt.Fprintln(w, OneLine(r.Summary))
	return err
}

// CriteriaLine says in one line what texts were reviewed by.
func CriteriaLine(names []string) string { return "criteria: " + OneLine(strings.Join(names, " + ")) }
