package gates

import (
	"encoding/json"
	"errors"
	"time"

	"instruction-catalog/catalog"
)

// Selection chooses entries by a condition in the form of a gate's "where" member. It is
// safe for concurrent use.
type Selection struct {
	holds  condition
	fields map[string]bool
}

// ParseSelection parses a selection. The error describes what is wrong with it.
func ParseSelection(where json.RawMessage) (*Selection, error) {
	c := compiler{fields: map[string]bool{}}
	gate := []byte(`{"id":"where","type":"count","op":">=","value":0,"severity":"error","where":`)
	out := c.compile(append(append(gate, where...), '}'))
	if out.result.Error != "" {
		return nil, errors.New(out.result.Error)
	}
	return &Selection{out.where, c.fields}, nil
}

// Names reports whether the selection refers to a field.
func (s *Selection) Names(field string) bool { return s.fields[field] }

// Of returns the chosen entries, sorted by id. Ages are measured at the time now.
func (s *Selection) Of(t *Table, now time.Time) (chosen []*catalog.Entry) {
	holds := s.holds(moment{t.columnsOf(s.fields), seconds(now)})
	for i, e := range t.entries {
		if holds(i) {
			chosen = append(chosen, e)
		}
	}
	return chosen
}
