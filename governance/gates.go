package governance

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

const (
	// GatesFile is the name of the file, in the folder of the catalog, that
	// holds the gates.
	GatesFile = "gates.json"
	// MaxGatesFile is how large that file may be, in bytes.
	MaxGatesFile = 1 << 20
	// MaxGates is how many gates it may have.
	MaxGates = 1000
)

// Evaluation is the outcome of all gates.
type Evaluation struct {
	Results []GateResult `json:"results"` // in the order of the file
	Summary GateSummary  `json:"summary"`
}

// GateSummary counts the results of an evaluation.
type GateSummary struct {
	Errors   int `json:"errors"`   // failed, of severity error
	Warnings int `json:"warnings"` // failed, of severity warn
	Total    int `json:"total"`    // passed and failed
}

// EvaluateGates reads the file [GatesFile] in dir and holds the snapshot
// against the gates in it. It reports false if there is no such file.
//
// A file that cannot be read or understood as a whole counts as one failed
// gate with the file's name for an id; so does a folder that cannot be opened.
// A gate that cannot be understood fails alone, and the others are evaluated.
func EvaluateGates(dir string, s *catalog.Snapshot) (Evaluation, bool) {
	data, err := ReadGates(dir)
	switch {
	case err != nil:
		return BrokenGates(err), true
	case data == nil:
		return Evaluation{}, false
	}
	return EvaluateGatesIn(data, s), true
}

// BrokenGates is the evaluation of gates that cannot be read.
func BrokenGates(err error) Evaluation { return summarise([]GateResult{brokenFile(err)}) }

// EvaluateGatesIn is [EvaluateGates] for the content of such a file.
func EvaluateGatesIn(data []byte, s *catalog.Snapshot) Evaluation { return evaluate(data, s.Entries()) }

// evaluate judges the content of a gates file.
func evaluate(data []byte, entries []*catalog.Entry) Evaluation {
	gates, err := splitGates(data)
	if err != nil {
		return BrokenGates(err)
	}
	results := make([]GateResult, 0, len(gates))
	taken := map[GateID]bool{}
	for i, raw := range gates {
		g, err := parseGate(raw)
		if err == nil && taken[g.ID] {
			err = fmt.Errorf("an earlier gate has the id %q: give this one an id of its own", g.ID)
		}
		taken[g.ID] = true
		if err != nil {
			results = append(results, g.broken(i, err))
			continue
		}
		results = append(results, g.evaluate(entries))
	}
	return summarise(results)
}

func summarise(results []GateResult) Evaluation {
	e := Evaluation{Results: results, Summary: GateSummary{Total: len(results)}}
	for _, r := range results {
		switch {
		case r.Passed:
		case r.Severity == GateWarn:
			e.Summary.Warnings++
		default:
			e.Summary.Errors++
		}
	}
	return e
}

// splitGates returns the gates of the file, each as it is written there.
func splitGates(data []byte) ([]json.RawMessage, error) {
	data, err := strictJSON(data)
	if err != nil {
		return nil, err
	}
	var envelope map[string]json.RawMessage
	if err := json.Unmarshal(data, &envelope); err != nil || envelope == nil {
		return nil, errors.New(`the file must hold an object: {"gates": [ … ]}`)
	}
	var gates []json.RawMessage
	if err := json.Unmarshal(envelope["gates"], &gates); err != nil || gates == nil {
		return nil, errors.New(`the file must have the member "gates", an array: {"gates": [ … ]}`)
	}
	delete(envelope, "gates")
	if unknown := slices.Sorted(maps.Keys(envelope)); len(unknown) > 0 {
		return nil, fmt.Errorf(`the file has members other than "gates", and no other is known: take out %q`, unknown)
	}
	if len(gates) > MaxGates {
		return nil, fmt.Errorf("the file has %d gates: at most %d are evaluated", len(gates), MaxGates)
	}
	return gates, nil
}

// ReadGates returns the content of the file [GatesFile] in dir, nil if there is no
// such file. A symbolic link may lead to a file within the folder only.
func ReadGates(dir string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot open the folder of the catalog: %w", files.Cause(err))
	}
	defer root.Close()
	// A link that leads nowhere is there, although opening it says otherwise.
	if _, err := root.Lstat(GatesFile); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	f, err := files.ReadIn(root, GatesFile, MaxGatesFile)
	switch {
	case errors.Is(err, files.ErrNotRegular):
		return nil, errors.New("this is not a regular file: replace it with one")
	case errors.Is(err, files.ErrTooLarge):
		return nil, fmt.Errorf("the file has more than %d bytes: make it smaller", MaxGatesFile)
	case err != nil:
		return nil, fmt.Errorf("cannot read the file, which must be a readable one within the folder of the catalog: %w", files.Cause(err))
	}
	return append([]byte{}, f.Data...), nil // which is not nil where the file is empty
}
