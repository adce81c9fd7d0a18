package instructions

import (
	"bytes"
	"encoding/json"
	"slices"
	"testing"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/usage"
)

// Whoever appends to a piece of an answer writes to no entry.
func TestPiecesEndWhereTheyEnd(t *testing.T) {
	t.Parallel()
	var sealer catalog.Sealer
	var entries []*catalog.Entry
	for _, id := range []catalog.ID{"a", "b", "c"} {
		e := &catalog.Entry{ID: id, Title: "t"}
		sealer.Seal(e, "body of "+string(id))
		entries = append(entries, e)
	}
	array := (&items{entries: entries[:2], uses: new(usage.Counter)}).EncodeJSON()
	if len(array) != 3 {
		t.Fatalf("%d pieces, want a bracket, two entries side by side, and a bracket", len(array))
	}
	one := &item{entry: entries[1]}
	for _, piece := range slices.Concat(array, one.EncodeJSON()) {
		_ = append(piece, '!')
	}
	for _, e := range entries {
		var encoded catalog.Entry
		object, ok := bytes.CutSuffix(e.Encoded(), []byte(","))
		if err := json.Unmarshal(object, &encoded); !ok || err != nil || encoded.ID != e.ID {
			t.Errorf("%s is %s now, %v", e.ID, e.Encoded(), err)
		}
	}
}
