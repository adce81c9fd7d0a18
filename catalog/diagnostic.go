package catalog

import "fmt"

// Severity says what a diagnostic means for the file it is about.
type Severity string

// The severities of a diagnostic.
const (
	// SeverityError: the file is not served.
	SeverityError Severity = "error"
	// SeverityWarning: the entry is served, with a value normalised; or the file
	// yields no entry, because the agent that it was written for does not load it.
	SeverityWarning Severity = "warning"
	// SeverityNote: the file is not an instruction, or is read in its agent's own
	// way. Nothing is wrong with that.
	SeverityNote Severity = "note"
)

// Diagnostic is something that a person should know about a file of the
// catalog: what is the matter and what to do about it.
type Diagnostic struct {
	Path     string   `json:"path"`           // within the catalog, with slashes
	Line     int      `json:"line,omitempty"` // from 1; 0 where no line is to blame
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Rule     string   `json:"-"` // that found it, as `catalog rules` lists it
	Kept     bool     `json:"-"` // the file is broken, and its entry is served as it was before
	Other    string   `json:"-"` // the path of the other file, where it is about two; "" else
}

// RuleIDTaken is the rule of two entries with one id.
const RuleIDTaken = "id/taken"

// String returns path:line: severity: message, the form that editors and
// terminals turn into a link.
func (d Diagnostic) String() string {
	if d.Line == 0 {
		return fmt.Sprintf("%s: %s: %s", d.Path, d.Severity, d.Message)
	}
	return fmt.Sprintf("%s:%d: %s: %s", d.Path, d.Line, d.Severity, d.Message)
}
