package catalog

import (
	"reflect"
	"testing"
)

// Entries without details share one that stays empty, and each other keeps its own,
// whichever field it has.
func TestDetailsAreKept(t *testing.T) {
	t.Parallel()
	var sealer Sealer
	var unpacker Unpacker
	examples := []Details{{}, {TeamIDs: []string{}}, {ReviewIntervalDays: new(0)}, {ChangeLog: []byte("[]")}, {Extensions: []byte("{}")}}
	for i := range reflect.TypeFor[Details]().NumField() {
		var d Details
		if f := reflect.ValueOf(&d).Elem().Field(i); f.Kind() == reflect.String {
			f.SetString("x")
			examples = append(examples, d)
		}
	}
	for _, want := range examples {
		e := sealer.Entry(Origin{Path: "p"})
		e.ID, e.Title, e.Categories, *e.Details = "e", "t", []string{}, want
		sealer.Seal(e, "body")
		again, err := unpacker.Unpack(e.Encoded(), e.AppendPacked(nil), "p")
		if err != nil {
			t.Fatal(err)
		}
		for _, got := range []*Entry{e, again} {
			if shared := got.Details == &noDetails; !reflect.DeepEqual(*got.Details, want) || shared != reflect.ValueOf(want).IsZero() {
				t.Errorf("%+v, shared %v, want %+v", *got.Details, shared, want)
			}
		}
		sealer.Entry(Origin{}).Owner, sealer.details.Version = "next", "next" // must not reach those before
		if e.Version == "next" {
			t.Error("what the next entry says is said of this one")
		}
	}
	if !reflect.ValueOf(noDetails).IsZero() {
		t.Errorf("what is shared is %+v", noDetails)
	}
}
