package instructions

import (
	"slices"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/usage"
)

// Nobody can write to the entries that lie behind a piece of an answer.
func TestPiecesEndWhereTheyEnd(t *testing.T) {
	t.Parallel()
	var sealer catalog.Sealer
	var entries []*catalog.Entry
	for _, id := range []catalog.ID{"a", "b", "c"} {
		e := &catalog.Entry{ID: id, Title: "t"}
		sealer.Seal(e, "body of "+string(id))
		entries = append(entries, e)
	}
	array := (&items{entries: slices.Values(entries[:2]), uses: new(usage.Counter)}).EncodeJSON()
	if len(array) != 3 {
		t.Fatalf("%d pieces, want a bracket, two entries side by side, and a bracket", len(array))
	}
	before := string(entries[2].Encoded())
	for _, piece := range array {
		_ = append(piece, "overwritten"...)
	}
	if after := string(entries[2].Encoded()); after != before {
		t.Errorf("the next entry is %s, was %s", after, before)
	}
}
