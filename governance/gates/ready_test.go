package gates

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog"
)

// TestReadyMadeGates evaluates each gates file of the documentation over a catalog that
// meets it and one that does not.
func TestReadyMadeGates(t *testing.T) {
	t.Parallel()
	instruction := func(id catalog.ID, edit func(*catalog.Instruction)) *catalog.Entry {
		i := catalog.Instruction{ID: id, Title: string(id), Body: "b", Priority: 50, Requirement: catalog.Mandatory, Owner: "me"}
		edit(&i)
		return catalog.NewEntry(i, catalog.Origin{})
	}
	plays := map[string]struct{ keeps, breaks func(*catalog.Instruction) }{
		"gates-overdue-review.json": {
			func(i *catalog.Instruction) { i.NextReviewDue = "2025-06-02T00:00:00Z" },
			func(i *catalog.Instruction) { i.NextReviewDue = "2025-05-31T00:00:00Z" },
		},
		"gates-owner.json": {
			func(i *catalog.Instruction) { i.Requirement, i.Owner = catalog.Optional, "" },
			func(i *catalog.Instruction) { i.Requirement, i.Owner = catalog.Critical, "" },
		},
		"gates-successor.json": {
			func(i *catalog.Instruction) { i.Requirement, i.DeprecatedBy = catalog.Deprecated, "living" },
			func(i *catalog.Instruction) { i.Requirement, i.DeprecatedBy = catalog.Deprecated, "nobody" },
		},
		"gates-body-tokens.json": {
			func(i *catalog.Instruction) { i.Body = strings.Repeat("x", 8000) },
			func(i *catalog.Instruction) { i.Body = strings.Repeat("x", 8001) },
		},
		"gates-same-title.json": {
			func(i *catalog.Instruction) { i.Title = "Living" },
			func(i *catalog.Instruction) { i.Title = "living" },
		},
	}
	paths, err := filepath.Glob(filepath.Join("..", "..", "docs", "gates-*.json"))
	if err != nil || len(paths) != len(plays) {
		t.Fatalf("%d files, %d plays, %v", len(paths), len(plays), err)
	}
	for _, path := range paths {
		play := plays[filepath.Base(path)]
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		living := instruction("living", func(*catalog.Instruction) {})
		if e := evaluate(file, []*catalog.Entry{living, instruction("played", play.keeps)}); e.Summary != (Summary{Total: 1}) {
			t.Errorf("%s: what keeps to it: %+v", path, e)
		}
		e := evaluate(file, []*catalog.Entry{living, instruction("played", play.breaks)})
		if e.Summary != (Summary{Errors: 1, Total: 1}) || e.Results[0].Error != "" || !slices.Contains(e.Results[0].Offenders, "played") {
			t.Errorf("%s: what does not: %+v", path, e)
		}
	}
}
