package schemas

import (
	"bytes"
	"encoding/json"
)

// The functions of this file read and write JSON that was parsed once before,
// when its document was loaded: they cannot fail but through a mistake in this
// package, and then they panic.

func must(err error) {
	if err != nil {
		panic("schemas: " + err.Error())
	}
}

func compact(raw json.RawMessage) json.RawMessage {
	var out bytes.Buffer
	must(json.Compact(&out, raw))
	return out.Bytes()
}

func quote(text string) []byte {
	quoted, err := json.Marshal(text)
	must(err)
	return quoted
}

func object(raw json.RawMessage) map[string]any {
	var out map[string]any
	must(json.Unmarshal(raw, &out))
	return out
}

type member struct {
	name  string
	value json.RawMessage
}

// members returns the members of a JSON object in the order in which they are
// written, which a map would lose.
func members(raw json.RawMessage) []member {
	dec := json.NewDecoder(bytes.NewReader(raw))
	_, err := dec.Token() // the opening brace
	must(err)
	var out []member
	for dec.More() {
		name, err := dec.Token()
		must(err)
		m := member{name: name.(string)}
		must(dec.Decode(&m.value))
		out = append(out, m)
	}
	return out
}
