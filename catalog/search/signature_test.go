package search

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Of two words that every piece has, but hardly any beside each other, one piece in
// ten may be left to look at.
func TestKeysReject(t *testing.T) {
	t.Parallel()
	a := newAuthor(1, 4000)
	texts := make([]Text, 400)
	for i := range texts {
		var body strings.Builder
		for range 20 {
			body.WriteString("morning " + a.prose(20) + " evening ")
		}
		texts[i].Body = body.String()
	}
	texts[200].Body += "Morning Evening"
	x := indexOf(texts)
	if left, pieces := x.candidates("morning evening"), x.pieces(); left*10 > pieces {
		t.Errorf("%d of %d pieces left as candidates", left, pieces)
	}
	if got := x.find("morning evening"); !slices.Contains(got, 200) || len(got) > 100 {
		t.Errorf("found in %d texts", len(got))
	}
}

// Queries with blanks in any place, beside each other too, at the ends of texts and
// of what the filters see.
func TestSeparatorsAreFound(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(9, 9))
	for range 40 {
		texts := make([]Text, 30)
		for i := range texts {
			texts[i] = Text{letters(random, "ab  ", random.IntN(40)), letters(random, "abcdefgh   ", random.IntN(900))}
		}
		x, slow := indexOf(texts), newNaive(texts)
		for range 100 {
			q := excerpt(random, pick(random, texts), pick(random, []int{4, 6, 12, 40}))
			if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
				t.Fatalf("Find(%q) = %v, want %v", q, got, want)
			}
		}
	}
}

func TestTokenBytes(t *testing.T) {
	t.Parallel()
	for c := range 256 {
		want := c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || c >= 0x80
		for at := range 8 {
			for _, others := range []byte{0, 'a', ' ', 0x7F, 0x80, 0xFF} {
				eight := [8]byte{others, others, others, others, others, others, others, others}
				eight[at] = byte(c)
				if got := tokenBytes(binary.LittleEndian.Uint64(eight[:]))>>(8*at)&0x80 != 0; got != want {
					t.Fatalf("%q at %d among %q: %v", rune(c), at, others, got)
				}
			}
		}
	}
}
