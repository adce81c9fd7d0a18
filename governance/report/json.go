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

// writeJSON writes a value as indented JSON in which no character is left that
// could steer a terminal. It means the same: all of them stand within strings,
// where they can be escaped.
func writeJSON(w io.Writer, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(jsonscan.Escape(text), '\n'))
	return err
}
