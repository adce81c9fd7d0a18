package format

import (
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/schemas/jsonscan"
)

// keep adds the fields that the contract does not name to the extensions, under their
// own names, so that they are not lost. A field with the name of an existing member of
// extensions is not added and gets a warning.
func (n *normaliser) keep(unknown []field) {
	if len(unknown) == 0 {
		return
	}
	taken := map[string]bool{}
	extensions := slices.Clone(n.entry.Extensions)
	if extensions == nil {
		extensions = []byte("{}")
	}
	for _, name := range (value{kind: object, text: string(extensions)}).names() {
		taken[name] = true
	}
	var kept, refused []field
	for _, f := range unknown {
		if taken[f.name] {
			refused = append(refused, f)
			continue
		}
		n.mention(f)
		n.checkNumbers(f, f.value.json())
		kept = append(kept, f)
		extensions = appendMember(extensions, f)
	}
	n.entry.Extensions = extensions
	if n.doc.Place == nil { // no warning in an agent's file, which has other fields
		n.warnOfUnknown(kept, "kept in extensions")
	}
	n.warnOfUnknown(refused, "not served, because extensions has another field of that name")
}

// appendMember returns the object with one more member.
func appendMember(object []byte, f field) []byte {
	object = object[:len(object)-1]
	if len(object) > 1 {
		object = append(object, ',')
	}
	object = append(append(object, jsonscan.MustEncode(f.name)...), ':')
	return append(append(object, f.value.json()...), '}')
}

// warnOfUnknown adds one warning about the fields, at the line of the first.
func (n *normaliser) warnOfUnknown(fields []field, fate string) {
	if len(fields) == 0 {
		return
	}
	const most = 10
	var names []string
	for i, f := range fields {
		if i == most {
			names = append(names, fmt.Sprintf("and %d more", len(fields)-most))
			break
		}
		names = append(names, Quote(f.name))
	}
	what := "unknown field "
	if len(fields) > 1 {
		what = "unknown fields "
	}
	n.say(FieldUnknown, fields[0].line, catalog.SeverityWarning, what+strings.Join(names, ", ")+": "+fate)
}
