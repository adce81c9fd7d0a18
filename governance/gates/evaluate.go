package gates

import (
	"errors"
	"math"
	"time"

	"instruction-catalog/catalog"
)

// MaxOffenders is the maximum number of entries that a result lists.
const MaxOffenders = 20

// Evaluate checks the entries of a table against the gates. Ages are measured at the time
// now.
func (g *Gates) Evaluate(t *Table, now time.Time) Evaluation {
	m := moment{t.columnsOf(g.fields), seconds(now)}
	results := make([]Result, len(g.gates))
	for i := range g.gates {
		results[i] = g.gates[i].evaluate(t, m)
	}
	return summarise(results)
}

// measured is what a gate computes: the figure, the number of entries that it is about, and
// predicates for the entries that make the figure too high or too low. A predicate is nil
// if there are no such entries.
type measured struct {
	figure    float64
	count     int64
	high, low predicate
}

func (g *compiled) evaluate(t *Table, m moment) Result {
	result := g.result
	if result.Error != "" {
		return result
	}
	holds := comparisons[result.Op]
	found, err := g.measure(len(t.entries), m)
	result.Count = found.count
	if err != nil {
		result.Severity, result.Error = SeverityError, err.Error()
		return result
	}
	if g.kind != TypeCount && g.kind != TypeUnique {
		result.Actual = &found.figure
	}
	result.Passed = holds(found.figure, g.value)
	if result.Passed {
		return result
	}
	offends := found.high
	if found.figure < g.value || found.figure == g.value && result.Op == ">" {
		offends = found.low
	}
	result.Offenders = t.first(offends)
	return result
}

// first returns the ids of the first entries that match the predicate, at most
// [MaxOffenders].
func (t *Table) first(offends predicate) (ids []catalog.ID) {
	for i, e := range t.entries {
		if offends != nil && len(ids) < MaxOffenders && offends(i) {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

var errNothing = errors.New("there is no entry to compute it from: make where, or of, choose some")

// measure computes the figure of the gate over n entries.
func (g *compiled) measure(n int, m moment) (measured, error) {
	chosen := g.where(m)
	switch g.kind {
	case TypeCount:
		count := countOf(n, chosen)
		return measured{float64(count), count, chosen, nil}, nil
	case TypeRatio:
		return g.ratio(n, chosen, g.of(m))
	case TypeDistinct:
		return distinct(n, chosen, m.columns[g.field]), nil
	case TypeUnique:
		return unique(n, chosen, m.columns[g.field]), nil
	}
	return g.arithmetic(n, chosen, m.columns[g.field])
}

func countOf(n int, chosen predicate) (count int64) {
	for i := range n {
		if chosen(i) {
			count++
		}
	}
	return count
}

func (g *compiled) ratio(n int, chosen, of predicate) (measured, error) {
	whole, part := int64(0), int64(0)
	for i := range n {
		if !of(i) {
			continue
		}
		if whole++; chosen(i) {
			part++
		}
	}
	if whole == 0 {
		return measured{}, errNothing
	}
	return measured{float64(part) / float64(whole), part, both(of, chosen), both(of, not(chosen))}, nil
}

// arithmetic computes sum, min and max. For min and max, the offenders are the entries
// whose own value does not meet the gate.
func (g *compiled) arithmetic(n int, chosen predicate, c *column) (measured, error) {
	sum, least, greatest := 0.0, math.Inf(1), math.Inf(-1)
	count, valued := int64(0), 0
	for i := range n {
		if !chosen(i) {
			continue
		}
		count++
		if v := c.numbers[i]; v == v { // not NaN: the entry has the field
			valued++
			sum, least, greatest = sum+v, min(least, v), max(greatest, v)
		}
	}
	has := both(chosen, c.has())
	if g.kind == TypeSum {
		return measured{sum, count, has, nil}, nil
	}
	if valued == 0 {
		return measured{count: count}, errNothing
	}
	figure := least
	if g.kind == TypeMax {
		figure = greatest
	}
	holds := comparisons[g.result.Op]
	fails := func(i int) bool { return has(i) && !holds(c.numbers[i], g.value) }
	return measured{figure, count, fails, fails}, nil
}

// distinct counts the distinct values of a field. For a list field, it counts the distinct
// items.
func distinct(n int, chosen predicate, c *column) measured {
	if c.kind == list {
		return distinctItems(n, chosen, c)
	}
	codes, values := c.coded()
	seen := make([]bool, values)
	count, different := int64(0), 0
	for i := range n {
		if !chosen(i) {
			continue
		}
		count++
		if code := codes[i]; code > 0 && !seen[code] {
			seen[code] = true
			different++
		}
	}
	return measured{float64(different), count, both(chosen, c.has()), nil}
}

func distinctItems(n int, chosen predicate, c *column) measured {
	items, count := map[string]bool{}, int64(0)
	for i := range n {
		if !chosen(i) {
			continue
		}
		count++
		for _, item := range c.lists[i] {
			items[item] = true
		}
	}
	return measured{float64(len(items)), count, both(chosen, c.has()), nil}
}

// unique counts the chosen entries that share their value with another chosen entry.
func unique(n int, chosen predicate, c *column) measured {
	codes, values := c.coded()
	holders := make([]int64, values)
	for i := range n {
		if chosen(i) {
			holders[codes[i]]++
		}
	}
	holders[0] = 0 // entries without the field
	count := int64(0)
	for _, h := range holders {
		if h > 1 {
			count += h
		}
	}
	return measured{float64(count), count, func(i int) bool { return holders[codes[i]] > 1 && chosen(i) }, nil}
}
