package source

import (
	"fmt"

	"instruction-catalog/catalog"
)

// maxPerSeverity is how many diagnostics of each severity there are of one bundle.
// Nobody reads more, and a file of a gigabyte could give rise to 500 million.
const maxPerSeverity = 10_000

// findings are the first diagnostics of a bundle, and how many there would be. The
// zero value has none.
type findings struct {
	kept  []catalog.Diagnostic
	count map[catalog.Severity]int // of those kept and those that are not
}

func (f *findings) add(diagnostics ...catalog.Diagnostic) {
	if f.count == nil {
		f.count = map[catalog.Severity]int{}
	}
	for _, d := range diagnostics {
		if f.count[d.Severity]++; f.count[d.Severity] <= maxPerSeverity {
			f.kept = append(f.kept, d)
		}
	}
}

// all returns what was found, and counts what was left out of the bundle of that
// name.
func (f *findings) all(name string) []catalog.Diagnostic {
	for _, severity := range []catalog.Severity{catalog.SeverityError, catalog.SeverityWarning, catalog.SeverityNote} {
		if n := f.count[severity]; n > maxPerSeverity {
			f.kept = append(f.kept, catalog.Diagnostic{Path: name, Severity: severity, Message: fmt.Sprintf(
				"%d diagnostics of severity %s are left out, of this bundle with %d: mend the first of them", n-maxPerSeverity, severity, n)})
		}
	}
	return f.kept
}
