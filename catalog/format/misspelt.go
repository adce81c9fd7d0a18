package format

import (
	"strings"
	"unicode"
)

// takeMisspelt adds an unknown field to known if its name differs from one of the
// contract only in case or by an obvious typo. It warns of each such field and returns
// the others.
func (n *normaliser) takeMisspelt(known []*field, unknown []field) []field {
	var rest []field
	for _, f := range unknown {
		at, ok := n.meant(f, known)
		if !ok {
			rest = append(rest, f)
			continue
		}
		n.warn(FieldMisspelt, f, "it is read as %s: rename it", rules[at].name)
		f.name = rules[at].name
		known[at] = &f
	}
	return rest
}

// meant returns the index of the rule for the field that f is meant to be. It considers
// only fields that are not in known.
func (n *normaliser) meant(f field, known []*field) (at int, ok bool) {
	for at, r := range rules {
		if known[at] != nil || n.doc.isForeign(r.name) {
			continue
		}
		if strings.EqualFold(f.name, r.name) || isSlip(f.name, r.name) {
			return at, true
		}
	}
	return 0, false
}

// isSlip reports whether the first name is a misspelling of the second: one letter too
// many, too few, wrong or swapped, or two such errors in a long name. Short names,
// plurals and whole words of the second name, such as deprecated for deprecatedBy, do
// not count, because they may be intended.
func isSlip(name, of string) bool {
	const short, long = 6, 9
	if len(of) < short || strings.TrimSuffix(name, "s") == strings.TrimSuffix(of, "s") {
		return false
	}
	if rest, ok := strings.CutPrefix(of, name); ok && unicode.IsUpper(rune(rest[0])) {
		return false
	}
	most := 1
	if len(of) >= long {
		most = 2
	}
	return distance(strings.ToLower(name), strings.ToLower(of), most) <= most
}

// distance returns the number of letters that must be added, removed, replaced or
// swapped with their neighbour to turn a into b. If it exceeds most, the result may be
// any number greater than most.
func distance(a, b string, most int) int {
	if d := len(a) - len(b); d > most || -d > most {
		return most + 1
	}
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range len(a) {
		before, above, row := rows[0], rows[1], rows[2]
		row[0] = i + 1
		for j := range len(b) {
			row[j+1] = min(above[j+1], row[j], above[j]) + 1
			if a[i] == b[j] {
				row[j+1] = above[j]
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		rows = [3][]int{above, row, before}
	}
	return rows[1][len(b)]
}
