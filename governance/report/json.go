package report

import (
	"encoding/json"
	"io"

	"instruction-catalog/schemas/jsonscan"
)

func (r Report) json(w io.Writer) error {
	findings := r.Findings
	if findings == nil {
		findings = []Finding{}
	}
	return writeJSON(w, struct {
		Findings      []Finding    `json:"findings"`
		Suppressed    []Suppressed `json:"suppressed,omitempty"`
		Configuration string       `json:"configuration,omitempty"`
		Criteria      []string     `json:"criteria,omitempty"`
	}{findings, r.Suppressed, r.Configuration, r.Criteria})
}

// writeJSON writes a value as indented JSON. It escapes every character that could control
// a terminal. That preserves the meaning, because such characters occur only within
// strings.
func writeJSON(w io.Writer, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(jsonscan.Escape(text), '\n'))
	return err
}
