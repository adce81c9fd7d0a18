package report

import (
	"fmt"
	"io"
	"strings"
)

// githubCommands maps each severity to the workflow command that creates an annotation.
var githubCommands = map[Severity]string{Error: "error", Warning: "warning", Note: "notice"}

// The replacers escape the special characters in the message and in a property of a
// workflow command.
var (
	githubData     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// github writes an annotation per line: one for each finding, and one for the criteria
// unless only the built-in ones were used.
func (r Report) github(w io.Writer) error {
	if len(r.Criteria) > 1 {
		fmt.Fprintf(w, "::notice title=criteria::%s\n", githubData.Replace(CriteriaLine(r.Criteria)))
	}
	for _, f := range r.Findings {
		line := ""
		if f.Line > 0 {
			line = fmt.Sprintf(",line=%d", f.Line)
		}
		// Use Printable, not OneLine, so that GitHub finds a file with a newline in its name.
		_, err := fmt.Fprintf(w, "::%s file=%s%s,title=%s::%s\n", githubCommands[f.Severity],
			githubProperty.Replace(Printable(f.Path)), line,
			githubProperty.Replace(OneLine(string(f.Rule))), githubData.Replace(OneLine(f.Message)))
		if err != nil {
			return err
		}
	}
	return nil
}
