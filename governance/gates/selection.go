package gates

import (
	"encoding/json"
	"errors"
	"time"

	"instruction-catalog/catalog"
)

// Selection chooses entries in the language of the member where of a gate. It may be
// used by any number of goroutines.
type Selection struct {
	holds  condition
	fields map[string]bool
}

// ParseSelection reads a selection. The error says what is wrong with it.
func ParseSelection(where json.RawMessage) (*Selection, error) {
	c := compiler{fields: map[string]bool{}}
	gate := []byte(`{"id":"where","type":"count","op":">=","value":0,"severity":"error","where":`)
	out := c.compile(append(append(gate, where...), '}'))
	if out.result.Error != "" {
		return nil, errors.New(out.result.Error)
	}
	return &Selection{out.where, c.fields}, nil
}

// Names reports whether the selection is about a field.
func (s *Selection) Names(field string) bool { return s.fields[field] }

// Of returns the chosen entries, in the order of ids. Now is what the age of a time is
// counted to.
func (s *Selection) Of(t *Table, now time.Time) (chosen []*catalog.Entry) {
	holds := s.holds(moment{t.columnsOf(s.fields), seconds(now)})
	for i, e := range t.entries {
		if holds(i) {
			chosen = append(chosen, e)
		}
	}
	return chosen
}
