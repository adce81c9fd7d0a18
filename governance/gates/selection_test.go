package gates_test

import (
	"strings"
	"testing"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/gates"
)

func TestSelection(t *testing.T) {
	t.Parallel()
	var entries []*catalog.Entry
	for _, id := range []catalog.ID{"other", "shop-a", "shop-b"} {
		entries = append(entries, catalog.NewEntry(catalog.Instruction{ID: id}, catalog.Origin{}))
	}
	s := catalog.NewSnapshot(entries, nil)
	chosen, err := gates.ParseSelection([]byte(`{"field": "id", "op": "matches", "value": "^shop-"}`))
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range chosen.Of(gates.NewTable(s), time.Now()) {
		ids = append(ids, string(e.ID))
	}
	if got := strings.Join(ids, " "); got != "shop-a shop-b" {
		t.Errorf("chosen are %s", got)
	}
	if !chosen.Names("id") || chosen.Names("status") {
		t.Error("the selection is about the id alone")
	}
}

func TestBrokenSelection(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		`{"field": "id"}`: "where.op is required",
		`{"feild": "id"}`: "feild",
		`[]`:              "where must be an object",
		`{"field": "id", "op": "eq", "value": "a"}, "of": {}`: "of does not belong",
	} {
		if _, err := gates.ParseSelection([]byte(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: got %v, want an error that says %q", text, err, says)
		}
	}
}
