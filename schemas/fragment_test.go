package schemas

import (
	"encoding/json"
	"testing"
)

func TestLocal(t *testing.T) {
	t.Parallel()
	const text = `{"$ref" : "types.json#/definitions/A", "a": [{"$ref":"#/definitions/B"}], "$refs": "x", "const": "$ref"}`
	const want = `{"$ref" : "#/definitions/A", "a": [{"$ref":"#/definitions/B"}], "$refs": "x", "const": "$ref"}`
	if got := local(json.RawMessage(text)); string(got) != want {
		t.Errorf("got %s", got)
	}
}
