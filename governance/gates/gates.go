package gates

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
	"instruction-catalog/governance/strict"
)

const (
	// File is the name of the file, in the folder of the catalog, that
	// holds the gates.
	File = "gates.json"
	// MaxFile is how large that file may be, in bytes.
	MaxFile = 1 << 20
	// Max is how many gates it may have.
	Max = 1000
)

// Evaluation is the outcome of all gates.
type Evaluation struct {
	Results []Result `json:"results"` // in the order of the file
	Summary Summary  `json:"summary"`
}

// Summary counts the results of an evaluation.
type Summary struct {
	Errors   int `json:"errors"`   // failed, of severity error
	Warnings int `json:"warnings"` // failed, of severity warn
	Total    int `json:"total"`    // passed and failed
}

// Evaluate reads the file [File] in dir and holds the snapshot
// against the gates in it. It reports false if there is no such file.
//
// A file that cannot be read or understood as a whole counts as one failed
// gate with the file's name for an id; so does a folder that cannot be opened.
// A gate that cannot be understood fails alone, and the others are evaluated.
func Evaluate(dir string, s *catalog.Snapshot) (Evaluation, bool) {
	data, err := Read(dir)
	switch {
	case err != nil:
		return Broken(err), true
	case data == nil:
		return Evaluation{}, false
	}
	return EvaluateIn(data, s), true
}

// Broken is the evaluation of gates that cannot be read.
func Broken(err error) Evaluation { return summarise([]Result{brokenFile(err)}) }

// EvaluateIn is [Evaluate] for the content of such a file.
func EvaluateIn(data []byte, s *catalog.Snapshot) Evaluation { return evaluate(data, s.Entries()) }

// evaluate judges the content of a gates file.
func evaluate(data []byte, entries []*catalog.Entry) Evaluation {
	gates, err := splitGates(data)
	if err != nil {
		return Broken(err)
	}
	results := make([]Result, 0, len(gates))
	taken := map[ID]bool{}
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

// splitGates returns the gates of the file, each as it is written there.
func splitGates(data []byte) ([]json.RawMessage, error) {
	data, err := strict.JSON(data)
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
	if len(gates) > Max {
		return nil, fmt.Errorf("the file has %d gates: at most %d are evaluated", len(gates), Max)
	}
	return gates, nil
}

// Read returns the content of the file [File] in dir, nil if there is no
// such file. A symbolic link may lead to a file within the folder only.
func Read(dir string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("cannot open the folder of the catalog: %w", files.Cause(err))
	}
	defer root.Close()
	// A link that leads nowhere is there, although opening it says otherwise.
	if _, err := root.Lstat(File); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	f, err := files.ReadIn(root, File, MaxFile)
	switch {
	case errors.Is(err, files.ErrNotRegular):
		return nil, errors.New("this is not a regular file: replace it with one")
	case errors.Is(err, files.ErrTooLarge):
		return nil, fmt.Errorf("the file has more than %d bytes: make it smaller", MaxFile)
	case err != nil:
		return nil, fmt.Errorf("cannot read the file, which must be a readable one within the folder of the catalog: %w", files.Cause(err))
	}
	return append([]byte{}, f.Data...), nil // which is not nil where the file is empty
}
