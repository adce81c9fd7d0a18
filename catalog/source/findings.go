package source

import (
	"fmt"

	"instruction-catalog/catalog"
)

// mostSaid is how many diagnostics of each severity there are of one bundle.
// Nobody reads more, and a file of a gigabyte could give rise to 500 million.
const mostSaid = 10_000

// findings are the first diagnostics of a bundle, and how many more there would
// be. The zero value has none.
type findings struct {
	kept  []catalog.Diagnostic
	count map[catalog.Severity]int // of those kept and those that are not
}

func (f *findings) add(diagnostics ...catalog.Diagnostic) {
	for _, d := range diagnostics {
		if f.note(d.Severity, 1) < mostSaid {
			f.kept = append(f.kept, d)
		}
	}
}

// note counts n more and returns how many there were before.
func (f *findings) note(s catalog.Severity, n int) int {
	if f.count == nil {
		f.count = map[catalog.Severity]int{}
	}
	before := f.count[s]
	f.count[s] += n
	return before
}

// merge adds what was found in the lines that follow.
func (f *findings) merge(next *findings) {
	unkept := next.count
	for _, d := range next.kept {
		f.add(d)
		unkept[d.Severity]--
	}
	for severity, n := range unkept {
		f.note(severity, n)
	}
}

// all returns what was found, and counts what was left out of the bundle of that
// name.
func (f *findings) all(name string) []catalog.Diagnostic {
	for _, severity := range []catalog.Severity{catalog.SeverityError, catalog.SeverityWarning, catalog.SeverityNote} {
		if n := f.count[severity]; n > mostSaid {
			f.kept = append(f.kept, catalog.Diagnostic{Path: name, Severity: severity, Message: fmt.Sprintf(
				"%d diagnostics of severity %s are left out, of this bundle with %d: mend the first of them", n-mostSaid, severity, n)})
		}
	}
	return f.kept
}
