package review

import (
	"reflect"
	"slices"
)

// BuiltIn is the name of the criteria that the program has built in.
const BuiltIn = "built-in"

// Named returns the criteria under the name of the file that they come from.
func (c *Criteria) Named(name string) *Criteria {
	return &Criteria{rules: c.rules, names: []string{name}, usage: c.usage}
}

// Names returns the names of the files that the criteria come from, in the order in
// which they were put together.
func (c *Criteria) Names() []string { return slices.Clone(c.names) }

// Add returns criteria that also have the rules of more. No rule is taken away or
// changed: a rule of more stands beside another of its id, unless the two are equal.
func (c *Criteria) Add(more *Criteria) *Criteria {
	rules := slices.Clone(c.rules)
	for _, r := range more.rules {
		if !slices.ContainsFunc(c.rules, r.equals) {
			rules = append(rules, r)
		}
	}
	return &Criteria{rules: rules, names: slices.Concat(c.names, more.names), usage: &usage{}}
}

// Replace returns criteria in which the rules of by stand in place of all rules with
// their ids, and its other rules behind them.
func (c *Criteria) Replace(by *Criteria) *Criteria {
	left := slices.Clone(by.rules)
	var rules []*rule
	for _, r := range c.rules {
		sameID := func(other *rule) bool { return other.id == r.id }
		if i := slices.IndexFunc(left, sameID); i >= 0 {
			rules = append(rules, left[i])
			left = slices.Delete(left, i, i+1)
		} else if !slices.ContainsFunc(by.rules, sameID) {
			rules = append(rules, r)
		}
	}
	return &Criteria{rules: append(rules, left...), names: slices.Concat(c.names, by.names), usage: &usage{}}
}

// equals reports whether two rules are written in the same way, in categories of the
// same name.
func (r *rule) equals(other *rule) bool {
	return r.id == other.id && r.category == other.category && reflect.DeepEqual(r.written, other.written)
}

// repeats reports whether a rule adds nothing to another one with its id, from
// another file, that is broken at the same places.
func (r *rule) repeats(other *rule) bool {
	return r.id == other.id && r.category == other.category && other.severity.Compare(r.severity) <= 0
}
