package stdio

import "testing"

func BenchmarkParse(b *testing.B) {
	line := []byte(`{"jsonrpc":"2.0","id":17,"method":"instructions/search","params":{"q":"some words","limit":10}}`)
	b.ReportAllocs()
	for b.Loop() {
		if m := parse(line); m.elements[0].err != nil {
			b.Fatal(m.elements[0].err)
		}
	}
}
