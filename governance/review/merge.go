package review

import (
	"reflect"
	"slices"
)

// BuiltIn is the name of the program's built-in criteria.
const BuiltIn = "built-in"

// Named returns the criteria with the name of the file that they come from.
func (c *Criteria) Named(name string) *Criteria {
	return &Criteria{rules: c.rules, names: []string{name}, usage: c.usage}
}

// Names returns the names of the files that the criteria come from, in the order in
// which they were combined.
func (c *Criteria) Names() []string { return slices.Clone(c.names) }

// Add returns criteria with the rules of c and of more. It neither removes nor changes
// a rule of c. It omits a rule of more that equals a rule of c, and keeps one that
// only has the same ID.
func (c *Criteria) Add(more *Criteria) *Criteria {
	rules := slices.Clone(c.rules)
	for _, r := range more.rules {
		if !slices.ContainsFunc(c.rules, r.equals) {
			rules = append(rules, r)
		}
	}
	return &Criteria{rules: rules, names: slices.Concat(c.names, more.names), usage: &usage{}}
}

// Replace returns criteria in which by's rules replace all rules of c with the same
// IDs. by's other rules follow at the end.
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

// equals reports whether two rules have the same definition and the same category
// name.
func (r *rule) equals(other *rule) bool {
	return r.id == other.id && r.category == other.category && reflect.DeepEqual(r.written, other.written)
}

// repeats reports whether r is redundant if other is broken at the same places: both
// have the same ID and category, and other is at least as severe.
func (r *rule) repeats(other *rule) bool {
	return r.id == other.id && r.category == other.category && other.severity.Compare(r.severity) <= 0
}
