package stdio

import "testing"

func BenchmarkParse(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","id":17,"method":"instructions/search","params":{"q":"some words","limit":10}}`)
	registry := newToy(b).registry
	b.ReportAllocs()
	for b.Loop() {
		if m := parse(registry, line); m.elements[0].err != nil {
			b.Fatal(m.elements[0].err)
		}
	}
}
