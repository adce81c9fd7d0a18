package gates

import (
	"math"
	"strconv"
	"sync"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/schemas/jsonscan"
)

// Table caches the fields of a snapshot's entries that gates use, so that several gates and
// evaluations read each entry once. It is safe for concurrent use.
type Table struct {
	entries []*catalog.Entry // in id order
	get     func(id string) (*catalog.Entry, bool)

	mu      sync.Mutex
	columns map[string]*column
}

// NewTable returns the table of a snapshot. It does not read the entries yet.
func NewTable(s *catalog.Snapshot) *Table {
	return &Table{entries: s.Entries(), get: s.Get, columns: map[string]*column{}}
}

// column holds the values of one field, by the index of the entry. The kind of the field
// determines which slices are used.
type column struct {
	field
	values  []string   // the distinct texts or opaque values; the first is "", for entries without the field
	codes   []int32    // for each entry, the index of its value in values
	numbers []float64  // for numbers and instants; NaN if the entry does not have the field
	lists   [][]string // for lists; empty if the entry does not have the field

	known map[string]int32 // the codes of values; only set while the column is filled
}

// columnsOf returns the columns of the named fields. It fills missing columns and caches
// them, except the body column.
func (t *Table) columnsOf(names map[string]bool) map[string]*column {
	t.mu.Lock()
	defer t.mu.Unlock()
	missing := map[string]*column{}
	for name := range names {
		if t.columns[name] == nil {
			missing[name] = newColumn(fields[name], len(t.entries))
		}
	}
	if len(missing) > 0 {
		t.fill(missing)
	}
	found := map[string]*column{}
	for name := range names {
		if c := missing[name]; c != nil {
			found[name] = c
		} else {
			found[name] = t.columns[name]
		}
	}
	delete(missing, "body") // the body column is not cached: the bodies would take too much memory
	for name, c := range missing {
		t.columns[name] = c
	}
	return found
}

func newColumn(f field, entries int) *column {
	c := &column{field: f}
	switch f.kind {
	case number, instant:
		c.numbers = make([]float64, entries)
		for i := range c.numbers {
			c.numbers[i] = math.NaN()
		}
	case list:
		c.lists = make([][]string, entries)
	default:
		c.codes, c.values, c.known = make([]int32, entries), []string{""}, map[string]int32{"": 0}
	}
	return c
}

// fill fills the columns in one pass over the entries.
func (t *Table) fill(missing map[string]*column) {
	for i, e := range t.entries {
		for m := range jsonscan.Members(e.Encoded()) {
			if c := missing[string(m.Name)]; c != nil {
				c.set(i, m.Value)
			}
		}
		for name, derive := range derived {
			if c := missing[name]; c != nil {
				derive(t, e, c, i)
			}
		}
	}
	for _, c := range missing {
		c.known = nil
	}
}

// set sets the value of entry i from its JSON.
func (c *column) set(i int, raw []byte) {
	switch c.kind {
	case number:
		if n, err := strconv.ParseFloat(string(raw), 64); err == nil {
			c.numbers[i] = n
		}
	case instant:
		stamp, _ := jsonscan.Unquote(raw)
		c.setTime(i, catalog.Timestamp(stamp))
	case list:
		for element := range jsonscan.Elements(raw) {
			text, _ := jsonscan.Unquote(element)
			c.lists[i] = append(c.lists[i], text)
		}
	case opaque:
		c.setText(i, "there")
	default:
		value, _ := jsonscan.Unquote(raw)
		c.setText(i, value)
	}
}

func (c *column) setText(i int, value string) {
	code, ok := c.known[value]
	if !ok {
		code = int32(len(c.values))
		c.known[value] = code
		c.values = append(c.values, value)
	}
	c.codes[i] = code
}

func (c *column) setTime(i int, stamp catalog.Timestamp) {
	if at, err := time.Parse(time.RFC3339Nano, string(stamp)); err == nil {
		c.numbers[i] = seconds(at)
	}
}

// seconds converts a time to the form used to compare instants, exact to a microsecond.
func seconds(t time.Time) float64 { return float64(t.Unix()) + float64(t.Nanosecond())/1e9 }

// has returns a predicate for the entries that have the field. An empty text or list counts
// as missing.
func (c *column) has() predicate {
	switch c.kind {
	case number, instant:
		return func(i int) bool { return c.numbers[i] == c.numbers[i] } // false for NaN
	case list:
		return func(i int) bool { return len(c.lists[i]) > 0 }
	}
	return func(i int) bool { return c.codes[i] != 0 }
}

// coded returns a code for each entry, and the number of codes. Equal values have equal
// codes. The code 0 is for entries without the field.
func (c *column) coded() (codes []int32, count int) {
	if c.codes != nil {
		return c.codes, len(c.values)
	}
	known := map[float64]int32{}
	codes = make([]int32, len(c.numbers))
	for i, n := range c.numbers {
		if n != n { // NaN: the entry does not have the field
			continue
		}
		if known[n] == 0 {
			known[n] = int32(len(known) + 1)
		}
		codes[i] = known[n]
	}
	return codes, len(known) + 1
}
