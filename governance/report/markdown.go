package report

import (
	"fmt"
	"io"
	"strings"
)

// markdown writes a list. All text from a catalog is in code spans, so that it cannot
// contain images, links, HTML or mentions of users.
func (r Report) markdown(w io.Writer) error {
	if _, err := fmt.Fprintf(w, "## catalog verify\n\n%s\n", code(r.Summary)); err != nil {
		return err
	}
	if r.Criteria != nil {
		fmt.Fprintf(w, "\n%s\n", code(CriteriaLine(r.Criteria)))
	}
	for i, f := range r.Findings {
		if i == 0 {
			fmt.Fprintln(w)
		}
		_, err := fmt.Fprintf(w, "- **%s** %s %s: %s\n", f.Severity, code(f.Place.String()), code(string(f.Rule)), code(f.Message))
		if err != nil {
			return err
		}
	}
	return nil
}

// code returns s as a code span, delimited by more backticks than occur in a row in s.
func code(s string) string {
	s = strings.TrimSpace(OneLine(s))
	if s == "" {
		s = "-"
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}
