package schemas_test

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
)

// pinsFile holds the SHA-256 of every document of its folder, in the format of
// sha256sum.
const pinsFile = "SHA256SUMS"

// pinRule tells developers what to do after changing a document.
const pinRule = `An additive change raises the minor version of the contract; any other change starts v2/.
Both write a line in the change log of docs/TOOLS.md for v1, in the CHANGES.md of its folder
for the contract of any other toolset. Then pin the documents again:
  (cd schemas/v1 && LC_ALL=C sha256sum *.json > ` + pinsFile + `)`

// checkPins compares every document of a folder with its pin in SHA256SUMS. Its error
// names each document that differs, is not pinned or is missing, and states the rule for
// contract changes.
func checkPins(fsys fs.FS) error {
	pins, err := readPins(fsys)
	if err != nil {
		return err
	}
	documents, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return fmt.Errorf("schemas: %w", err)
	}
	var findings []string
	for _, name := range documents {
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return fmt.Errorf("schemas: %w", err)
		}
		sum := sha256.Sum256(data)
		switch pin, ok := pins[name]; {
		case !ok:
			findings = append(findings, name+" is not pinned")
		case pin != hex.EncodeToString(sum[:]):
			findings = append(findings, name+" differs from its pin")
		}
		delete(pins, name)
	}
	for _, name := range slices.Sorted(maps.Keys(pins)) {
		findings = append(findings, name+" is pinned and missing")
	}
	if findings == nil {
		return nil
	}
	return errors.New("schemas: the contract was changed:\n  " + strings.Join(findings, "\n  ") + "\n" + pinRule)
}

func readPins(fsys fs.FS) (map[string]string, error) {
	data, err := fs.ReadFile(fsys, pinsFile)
	if err != nil {
		return nil, fmt.Errorf("schemas: the documents are not pinned: %w\n%s", err, pinRule)
	}
	pins := map[string]string{}
	last := ""
	for line := range strings.Lines(string(data)) {
		sum, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		if !ok || len(sum) != 2*sha256.Size || name <= last {
			return nil, fmt.Errorf("schemas: %s: %q is no line of sha256sum in the order of names\n%s", pinsFile, line, pinRule)
		}
		pins[name], last = sum, name
	}
	return pins, nil
}
