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

// Severity is the severity of a finding.
type Severity string

// The severities, most severe first.
const (
	Error   Severity = "error"   // the check fails
	Warning Severity = "warning" // a person should review it; the check fails only on request
	Note    Severity = "note"    // information; never fails the check
)

// AtLeast reports whether s is at least as severe as other.
func (s Severity) AtLeast(other Severity) bool {
	all := []Severity{Note, Warning, Error}
	return slices.Index(all, s) >= slices.Index(all, other)
}

// Place is a location: a file, or a line of it.
type Place struct {
	Path string `json:"path"`           // relative to the working directory, with slashes
	Line int    `json:"line,omitempty"` // from 1; 0 if the finding is about no particular line
}

// String returns path:line, or only the path if Line is 0.
func (p Place) String() string {
	if p.Line == 0 {
		return p.Path
	}
	return fmt.Sprintf("%s:%d", p.Path, p.Line)
}

// Finding is a problem in a catalog, or information about it.
type Finding struct {
	Rule     Rule     `json:"rule"`
	Severity Severity `json:"severity"`
	Place
	Message string     `json:"message"`         // the problem, and what to do
	Match   string     `json:"match,omitempty"` // the matched text, redacted if secret; or text that distinguishes it from other findings of its rule in the file
	Entry   catalog.ID `json:"entry,omitempty"` // the entry that the finding is about, if any
	Related []Place    `json:"related,omitempty"`
	Also    []Rule     `json:"also,omitempty"` // less severe rules that found the same

	// Target is what a dead reference, link or import should lead to: a name of an entry, or a
	// path relative to the folder of the catalog. It is "" in other findings.
	Target string `json:"-"`
	// Whole marks a finding about the catalog as a whole. It is reported regardless of
	// which files have changed.
	Whole bool `json:"-"`
	// Binding marks a finding that no baseline, comment or setting may suppress, such as a
	// file that differs from what was signed.
	Binding bool `json:"-"`
	// Grave marks a finding about hostile text or a secret. If it is suppressed, the
	// summary of the run names its rule.
	Grave bool `json:"-"`
	// OfFile marks a finding from reading a file.
	OfFile bool `json:"-"`
}

// String returns path:line: severity: message on one line, a form that editors and
// terminals turn into a link.
func (f Finding) String() string {
	return OneLine(fmt.Sprintf("%s: %s: %s", f.Place, f.Severity, f.Message))
}

// Fingerprint identifies a finding across runs. It is a hash of the rule, the path and the
// match, or the message if there is no match. It does not depend on the line.
func (f Finding) Fingerprint() string {
	what := strings.Join([]string{string(f.Rule), f.Path, cmp.Or(f.Match, f.Message)}, "\x00")
	sum := sha256.Sum256([]byte(string([]rune(what)))) // invalid UTF-8 is replaced, as in a finding that was read from a report
	return hex.EncodeToString(sum[:16])
}
