package schemas

import (
	"bytes"
	"encoding/json"
)

// The functions of this file read and write JSON that is known to be
// well-formed: [Load] has checked it, and of what is embedded a test has. They
// cannot fail but through a mistake in this package, and then they panic.

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
