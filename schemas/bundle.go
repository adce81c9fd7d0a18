package schemas

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"instruction-catalog/schemas/jsonscan"
)

// dialect is the $schema of every document and every bundle.
const dialect = "http://json-schema.org/draft-07/schema#"

// local returns raw without white space and with every $ref rewritten to
// "#/definitions/NAME". names are the names of the definitions that it refers to.
func local(raw json.RawMessage) (text []byte, names []string) {
	moved := refs.ReplaceAllFunc(raw, func(ref []byte) []byte {
		_, name, _ := strings.Cut(string(ref), pointer)
		name = strings.TrimSuffix(name, `"`)
		names = append(names, name)
		return []byte(`"$ref":"` + pointer + name + `"`)
	})
	var out bytes.Buffer
	must(json.Compact(&out, moved))
	return out.Bytes(), names
}

// bundle returns a schema as one self-contained object. Members keep their order. The
// definitions come last, sorted by name.
func (s *Set) bundle(raw json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	out.WriteString(`{"$schema":"` + dialect + `"`)
	text, names := local(raw)
	for m := range jsonscan.Members(text) {
		if !slices.Contains([]string{"$schema", "$id", "definitions"}, string(m.Name)) {
			fmt.Fprintf(&out, ",%s:%s", quote(string(m.Name)), m.Value)
		}
	}
	needed := s.needed(names)
	for i, name := range slices.Sorted(maps.Keys(needed)) {
		opening := ","
		if i == 0 {
			opening = `,"definitions":{`
		}
		fmt.Fprintf(&out, "%s%s:%s", opening, quote(name), needed[name])
	}
	if len(needed) > 0 {
		out.WriteByte('}')
	}
	out.WriteByte('}')
	return out.Bytes()
}

// needed returns the named definitions and, recursively, all definitions that they refer
// to.
func (s *Set) needed(names []string) map[string][]byte {
	found := map[string][]byte{}
	for len(names) > 0 {
		name := names[0]
		names = names[1:]
		if found[name] == nil {
			text, more := s.definitions[name].local()
			found[name], names = text, append(names, more...)
		}
	}
	return found
}
