package format

import (
	"fmt"
	"slices"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/schemas/jsonscan"
)

// keep puts the fields that the contract does not name into the extensions,
// under their own names, so that they are not lost. What the extensions hold
// already goes before.
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
	if n.doc.Place == nil { // agents have fields of their own
		n.warnOfUnknown(kept, "kept in extensions")
	}
	n.warnOfUnknown(refused, "not served, as extensions has another of that name")
}

// appendMember adds a member to an object.
func appendMember(object []byte, f field) []byte {
	object = object[:len(object)-1]
	if len(object) > 1 {
		object = append(object, ',')
	}
	object = append(append(object, jsonscan.MustEncode(f.name)...), ':')
	return append(append(object, f.value.json()...), '}')
}

// warnOfUnknown names fields in one warning, at the line of the first.
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
