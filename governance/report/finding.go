package report

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/catalog"
)

// Severity says how much a finding matters.
type Severity string

// The severities, the gravest first.
const (
	Error   Severity = "error"   // the check fails
	Warning Severity = "warning" // somebody should look at it; the check fails if it is asked to
	Note    Severity = "note"    // nothing is wrong; the check never fails for it
)

// AtLeast reports whether a severity is as grave as another, or graver.
func (s Severity) AtLeast(other Severity) bool {
	all := []Severity{Note, Warning, Error}
	return slices.Index(all, s) >= slices.Index(all, other)
}

// Place is a line of a file.
type Place struct {
	Path string `json:"path"`           // from the working directory, with slashes
	Line int    `json:"line,omitempty"` // from 1; 0 where no line is to blame
}

// String returns path:line, and the path alone where there is no line.
func (p Place) String() string {
	if p.Line == 0 {
		return p.Path
	}
	return fmt.Sprintf("%s:%d", p.Path, p.Line)
}

// Finding is something that is wrong with a catalog, or worth knowing about it.
type Finding struct {
	Rule     Rule     `json:"rule"`
	Severity Severity `json:"severity"`
	Place
	Message string     `json:"message"`         // what is the matter, and what to do
	Match   string     `json:"match,omitempty"` // the text that the rule found, redacted where it is secret, or what else tells it from others of its rule in the file
	Entry   catalog.ID `json:"entry,omitempty"` // the entry that it is about, if it is about one
	Related []Place    `json:"related,omitempty"`
	Also    []Rule     `json:"also,omitempty"` // others that found the same, which are not so bad

	// Target is the entry that a dead reference should lead to, by one of its names; ""
	// in other findings.
	Target string `json:"-"`
	// Whole marks a finding about the catalog as a whole: it counts whichever files
	// have changed.
	Whole bool `json:"-"`
	// Binding marks a finding that must never become normal, such as a file that
	// differs from what was signed: no baseline suppresses it.
	Binding bool `json:"-"`
	// Grave is for a finding about hostile text or a secret: who silences it is named.
	Grave bool `json:"-"`
	// OfFile marks a finding from reading a file.
	OfFile bool `json:"-"`
}

// String returns path:line: severity: message on one line, the form that editors
// and terminals turn into a link.
func (f Finding) String() string {
	return OneLine(fmt.Sprintf("%s: %s: %s", f.Place, f.Severity, f.Message))
}

// Fingerprint identifies a finding across runs: it is a hash of the rule, the path
// and the match, or the message if there is no match. It does not change when lines
// are added above.
func (f Finding) Fingerprint() string {
	what := strings.Join([]string{string(f.Rule), f.Path, cmp.Or(f.Match, f.Message)}, "\x00")
	sum := sha256.Sum256([]byte(string([]rune(what)))) // bytes that are no UTF-8 count as they are read from a report
	return hex.EncodeToString(sum[:16])
}
