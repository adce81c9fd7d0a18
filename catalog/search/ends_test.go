package search

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"testing"
)

// The lowest place at which all three bytes agree is the lowest that is told, and
// no place below it is.
func TestEndsAgree(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 5))
	draw := func() (eight [8]byte) {
		for i := range eight {
			eight[i] = "abAB.\x01\x00\xff"[random.IntN(8)]
		}
		return eight
	}
	for range 100_000 {
		first, rare, last := draw(), draw(), draw()
		one, two, three := "ab.\x00\xff"[random.IntN(5)], "ab.\x00\xff"[random.IntN(5)], "ab.\x00\xff"[random.IntN(5)]
		exact, anyCase := 8, 8
		for i := 7; i >= 0; i-- {
			if first[i] == one && rare[i] == two && last[i] == three {
				exact = i
			}
			if lower(first[i]) == one && lower(rare[i]) == two && lower(last[i]) == three {
				anyCase = i
			}
		}
		word := func(eight [8]byte) uint64 { return binary.LittleEndian.Uint64(eight[:]) }
		for _, c := range []struct {
			ends ends
			want int
		}{
			{ends{inEachByte(one), inEachByte(two), inEachByte(three)}, exact},
			{ends{inAnyCase(one), inAnyCase(two), inAnyCase(three)}, anyCase},
		} {
			if got := bits.TrailingZeros64(c.ends.agree(word(first), word(rare), word(last))) / 8; got != c.want {
				t.Fatalf("%q, %q and %q agree in %q, %q and %q at %d, want %d", one, two, three, first, rare, last, got, c.want)
			}
		}
	}
}

// The first place is found of however many, eight or sixteen at a time.
func TestEndsNext(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 5))
	for range 50_000 {
		places := 8 + random.IntN(60)
		firsts, rares, lasts := letters(random, "aA. ", places), letters(random, "bB. ", places), letters(random, "c.. ", places)
		e := ends{inAnyCase('a'), inAnyCase('b'), inAnyCase('c')}
		want := -1
		for i := places - 1; i >= 0; i-- {
			if lower(firsts[i]) == 'a' && lower(rares[i]) == 'b' && lasts[i] == 'c' {
				want = i
			}
		}
		if got := e.next(firsts, rares+"more", lasts); got != want {
			t.Fatalf("next in %q, %q and %q: %d, want %d", firsts, rares, lasts, got, want)
		}
		if got := e.nextEights(firsts, rares, lasts+"more"); got != want {
			t.Fatalf("nextEights in %q, %q and %q: %d, want %d", firsts, rares, lasts, got, want)
		}
	}
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}
