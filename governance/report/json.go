package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

func (r Report) json(w io.Writer) error {
	findings := r.Findings
	if findings == nil {
		findings = []Finding{}
	}
	return writeJSON(w, map[string][]Finding{"findings": findings})
}

// writeJSON writes a value as indented JSON in which no character is left that
// could steer a terminal. It means the same: all of them stand within strings,
// where they can be escaped.
func writeJSON(w io.Writer, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return err
	}
	_, err = w.Write(append(escapeJSON(text), '\n'))
	return err
}

func escapeJSON(text []byte) []byte {
	var escaped bytes.Buffer
	for _, c := range string(text) {
		if c != '\n' && steers(c) {
			fmt.Fprintf(&escaped, `\u%04x`, c)
		} else {
			escaped.WriteRune(c)
		}
	}
	return escaped.Bytes()
}
