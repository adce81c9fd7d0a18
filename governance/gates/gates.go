package gates

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/schemas/strict"
)

// maxGates is the maximum number of gates in a file.
const maxGates = 1000

// Evaluation is the outcome of all gates.
type Evaluation struct {
	Results []Result `json:"results"` // in the order of the file
	Summary Summary  `json:"summary"`
}

// OnlyAsked returns the evaluation without the offenders of gates that the first version of
// gates.json could contain. Clients of that version get only the members that they know.
func (e Evaluation) OnlyAsked() Evaluation {
	results := slices.Clone(e.Results)
	for i := range results {
		if results[i].isOld {
			results[i].Offenders = nil
		}
	}
	return Evaluation{results, e.Summary}
}

// Summary counts the results of an evaluation.
type Summary struct {
	Errors   int `json:"errors"`   // number of gates that failed with severity error
	Warnings int `json:"warnings"` // number of gates that failed with severity warn
	Total    int `json:"total"`    // number of all gates
}

// Gates holds the parsed gates of a file. It is safe for concurrent use.
type Gates struct {
	gates  []compiled // in the order of the file
	fields map[string]bool
}

// Parse parses the content of the file [catalog.GatesFile].
//
// It never fails. If the file as a whole is invalid, the result is one broken gate with the
// name of the file as its id. If only a gate is invalid, only that gate is broken. A broken
// gate fails each evaluation with severity error.
func Parse(data []byte) *Gates {
	texts, lines, err := splitGates(data)
	if err != nil {
		return Broken(err)
	}
	c := compiler{fields: map[string]bool{}}
	g := &Gates{fields: c.fields}
	taken := map[ID]bool{}
	for i, raw := range texts {
		gate := c.compile(raw)
		gate.result.line = lines[i]
		id := gate.result.ID
		if gate.result.Error == "" && taken[id] {
			gate.result.Severity = SeverityError
			gate.result.Error = fmt.Sprintf("an earlier gate has the id %q: give this one an id of its own", id)
		}
		taken[id] = true
		gate.result.ID = cmp.Or(id, ID(fmt.Sprintf("gates[%d]", i))) // a gate without an id is named by its position
		g.gates = append(g.gates, gate)
	}
	return g
}

// Of returns the gates of a catalog, given the content of its gates.json or the error of
// reading it. If text is nil, there are no gates and Of returns nil. But if the snapshot
// has an error diagnostic about a file called gates.json, in any letter case and any
// folder, Of returns broken gates.
func Of(s *catalog.Snapshot, text []byte, err error) *Gates {
	switch {
	case err != nil:
		return Broken(err)
	case text != nil:
		return Parse(text)
	}
	for _, d := range s.Diagnostics() {
		if d.Severity == catalog.SeverityError && strings.EqualFold(path.Base(d.Path), catalog.GatesFile) {
			return Broken(fmt.Errorf("%s: %s", d.Path, d.Message))
		}
	}
	return nil
}

// Broken returns gates that always fail with err, for a file that cannot be read.
func Broken(err error) *Gates {
	return &Gates{gates: []compiled{{result: Result{ID: catalog.GatesFile, Value: "0", Severity: SeverityError, Error: err.Error()}}}}
}

func summarise(results []Result) Evaluation {
	e := Evaluation{Results: results, Summary: Summary{Total: len(results)}}
	for _, r := range results {
		switch {
		case r.Passed:
		case r.Severity == SeverityWarn:
			e.Summary.Warnings++
		default:
			e.Summary.Errors++
		}
	}
	return e
}

// splitGates returns the JSON text of each gate of the file, and the line at which it
// begins.
func splitGates(data []byte) ([]json.RawMessage, []int, error) {
	data, err := strict.JSON(data)
	if err != nil {
		return nil, nil, err
	}
	var envelope map[string]json.RawMessage
	if err := json.Unmarshal(data, &envelope); err != nil || envelope == nil {
		return nil, nil, errors.New(`the file must hold an object: {"gates": [ … ]}`)
	}
	var gates []json.RawMessage
	if err := json.Unmarshal(envelope["gates"], &gates); err != nil || gates == nil {
		return nil, nil, errors.New(`the file must have the member "gates", an array: {"gates": [ … ]}`)
	}
	delete(envelope, "gates")
	if unknown := slices.Sorted(maps.Keys(envelope)); len(unknown) > 0 {
		return nil, nil, fmt.Errorf(`the file has members other than "gates", and no other is known: remove %q`, unknown)
	}
	if len(gates) > maxGates {
		return nil, nil, fmt.Errorf("the file has %d gates: at most %d are evaluated", len(gates), maxGates)
	}
	return gates, linesOf(data, gates), nil
}

// linesOf returns the line at which each element of the only array at the top of data
// begins.
func linesOf(data []byte, elements []json.RawMessage) []int {
	lines := make([]int, len(elements))
	at := bytes.IndexByte(data, '[') + 1
	for i, element := range elements {
		at += bytes.Index(data[at:], element)
		lines[i] = files.LineAt(data, at)
		at += len(element)
	}
	return lines
}
