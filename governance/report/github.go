package report

import (
	"fmt"
	"io"
	"strings"
)

// githubCommands are the workflow commands that make an annotation.
var githubCommands = map[Severity]string{Error: "error", Warning: "warning", Note: "notice"}

// What a workflow command takes for its own in a message, and in a property.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// github writes the findings, and the criteria if they are others than the built-in
// ones: each line is an annotation.
func (r Report) github(w io.Writer) error {
	if len(r.Criteria) > 1 {
		fmt.Fprintf(w, "::notice title=criteria::%s\n", githubData.Replace(CriteriaLine(r.Criteria)))
	}
	for _, f := range r.Findings {
		line := ""
		if f.Line > 0 {
			line = fmt.Sprintf(",line=%d", f.Line)
		}
		// A new line in the name of a file stays one, so that the file is found.
		_, err := fmt.Fprintf(w, "::%s file=%s%s,title=%s::%s\n", githubCommands[f.Severity],
			githubProperty.Replace(Printable(f.Path)), line,
			githubProperty.Replace(OneLine(string(f.Rule))), githubData.Replace(OneLine(f.Message)))
		if err != nil {
			return err
		}
	}
	return nil
}
