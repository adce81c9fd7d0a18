package stdio

import (
	"encoding/json"
	"testing"
)

var memberSeeds = []string{
	`{}`, `{ }`, `{"id":1}`, ` {"id":1}`, `{"jsonrpc":"2.0","id":-1.5e+3,"method":"a/b","params":{"x":"}\"{[,:"}}`,
	"{ \"id\" : \"a\\\\\" ,\n\t\"params\" : [ 1 , { \"id\" : 2 } ] , \"method\":\"m\" }", `{"\u0069d":7,"Id":8,"ID":9}`,
	`{"id":1,"id":null}`, `{"result":null,"error":{}}`, `{"params":"\\\""}`, `[]`, `null`, `"id"`, `{"":{"":[]},"id":true}`,
}

// FuzzMembers: an object is cut as encoding/json understands it.
func FuzzMembers(f *testing.F) {
	for _, seed := range memberSeeds {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var value json.RawMessage
		if json.Unmarshal(text, &value) != nil {
			t.Skip("no JSON")
		}
		var want map[string]json.RawMessage
		if json.Unmarshal(value, &want) != nil {
			want = nil
		}
		got, ok := membersOf(value)
		if ok != (want != nil) {
			t.Fatalf("%q is an object: %v", value, ok)
		}
		for name, member := range map[string]json.RawMessage{
			"jsonrpc": got.version, "id": got.id, "method": got.method,
			"params": got.params, "result": got.result, "error": got.failure,
		} {
			if string(member) != string(want[name]) || (member == nil) != (want[name] == nil) {
				t.Errorf("%q: %s is %q, want %q", value, name, member, want[name])
			}
		}
	})
}

func BenchmarkParse(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","id":17,"method":"instructions/search","params":{"q":"some words","limit":10}}`)
	b.ReportAllocs()
	for b.Loop() {
		if m := parse(line); m.elements[0].err != nil {
			b.Fatal(m.elements[0].err)
		}
	}
}
