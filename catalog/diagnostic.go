package catalog

import "fmt"

// Severity says what a diagnostic means for its file.
type Severity string

// The severities of a diagnostic.
const (
	// SeverityError means that the file is not served.
	SeverityError Severity = "error"
	// SeverityWarning means that the entry is served with a normalised value, or that
	// the file yields no entry because the agent that it was written for does not load
	// it.
	SeverityWarning Severity = "warning"
	// SeverityNote means that the file is not an instruction, or that it is read
	// according to its agent's own rules. The file has no defect.
	SeverityNote Severity = "note"
)

// Diagnostic reports a problem or a notable fact about a file of the catalog. Its
// message says what is wrong and what to do about it.
type Diagnostic struct {
	Path     string   `json:"path"`           // relative to the catalog's folder, with slashes
	Line     int      `json:"line,omitempty"` // from 1; 0 if the diagnostic is not about a line
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`
	Rule     string   `json:"-"` // the id of the rule, as `catalog rules` lists it
	Kept     bool     `json:"-"` // the file is broken, and its previous entry is still served
	Other    string   `json:"-"` // the path of the second file, if the diagnostic is about two; else ""
}

// RuleIDTaken is the id of the rule that no two entries may have the same id.
const RuleIDTaken = "id/taken"

// String returns "path:line: severity: message", or "path: severity: message" if Line is
// 0. Editors and terminals turn the former into a link.
func (d Diagnostic) String() string {
	if d.Line == 0 {
		return fmt.Sprintf("%s: %s: %s", d.Path, d.Severity, d.Message)
	}
	return fmt.Sprintf("%s:%d: %s: %s", d.Path, d.Line, d.Severity, d.Message)
}
