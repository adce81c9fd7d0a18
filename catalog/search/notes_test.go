package search

import (
	"math"
	"reflect"
	"testing"
)

func TestNotesKeepAllCounts(t *testing.T) {
	t.Parallel()
	long := make([]count, 3*blockBytes)
	for i := range long {
		long[i] = count{word: uint32(i), body: 1}
	}
	want := [][]count{
		{{word: 0, body: 1}, {word: 1, head: 4}},
		{},
		{{word: math.MaxUint32, body: math.MaxUint16, head: math.MaxUint16}},
		long,
		{{word: 300, body: 130, head: 200}},
	}
	var n notes
	for _, counts := range want {
		n.add(counts)
	}
	got := make([][]count, len(want))
	for i := range got {
		got[i] = []count{}
	}
	for document, c := range n.all() {
		got[document] = append(got[document], c)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got other counts than were noted")
	}
	for range n.all() {
		break // must not panic
	}
}
