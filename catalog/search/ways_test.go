package search

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Every way to ask must say the same, from wherever one begins.
func TestWaysAgree(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		random := rand.New(rand.NewPCG(seed, 2))
		texts := jumble(random, 1+random.IntN(200))
		x, scan, slow := indexOf(texts), NewScan(textsOf(texts)), newNaive(texts)
		for range 60 {
			q := excerpt(random, pick(random, texts), pick(random, []int{1, 2, 3, 5, 50}))
			first := random.IntN(len(texts)+2) - 1
			want := slices.DeleteFunc(slow.find(q), func(i int) bool { return i < first })
			for way, got := range map[string][]int{
				"Index.Find":     slices.AppendSeq([]int{}, x.Find(q).From(first)),
				"Index.FindFrom": slices.AppendSeq([]int{}, x.FindFrom(q, first)),
				"Scan.Find":      slices.AppendSeq([]int{}, scan.Find(q).From(first)),
				"Scan.FindFrom":  slices.AppendSeq([]int{}, scan.FindFrom(q, first)),
			} {
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d: %s(%q) from %d = %v, want %v", seed, way, q, first, got, want)
				}
			}
			if count := scan.Find(q).Count(); count != len(slow.find(q)) {
				t.Fatalf("seed %d: a scan counts %d of %q, want %v", seed, count, q, slow.find(q))
			}
		}
	}
}

// Several goroutines find what one does. This test changes GOMAXPROCS and so
// runs alone.
func TestFindShared(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	a := newAuthor(8, 3000)
	texts := a.texts(3000, 700)
	x, slow := indexOf(texts), newNaive(texts)
	for range 40 {
		q := excerpt(a.random, pick(a.random, texts), 12)
		n, m := x.needle(q), newMatches(len(texts))
		var open []openShard
		for _, g := range x.groups {
			open = g.open(open, g.settle(&n, m))
		}
		m.reserve()
		x.lookTogether(open, &n, m)
		if got, want := slices.AppendSeq([]int{}, m.From(0)), slow.find(q); !slices.Equal(got, want) {
			t.Fatalf("%q: %v, want %v", q, got, want)
		}
		if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
			t.Fatalf("Find(%q) = %v, want %v", q, got, want)
		}
	}
}

// watched returns an index of texts, and a set of those that are looked at from
// then on.
func watched(texts []Text) (x *Index, seen map[int]bool) {
	seen = map[int]bool{}
	kept := textsOf(texts)
	body := kept.Body
	var watching atomic.Bool
	var mu sync.Mutex
	kept.Body = func(i int) string {
		if watching.Load() {
			mu.Lock()
			defer mu.Unlock()
			seen[i] = true
		}
		return body(i)
	}
	x = newIndex(kept, 2)
	watching.Store(true)
	return x, seen
}

// A page costs the page: nobody looks into shards behind it or before it.
func TestFindFromStopsEarly(t *testing.T) {
	t.Parallel()
	texts := newAuthor(1, 3000).texts(2000, 900)
	for i := range texts {
		texts[i].Body += " here, everywhere"
	}
	x, seen := watched(texts)
	want := 1234
	for i := range x.FindFrom("Here, everywhere", want) {
		if i != want {
			t.Fatalf("found %d, want %d", i, want)
		}
		if want++; want == 1240 {
			break
		}
	}
	if len(seen) == 0 || len(seen) > 200 {
		t.Errorf("looked at %d texts for a page of six", len(seen))
	}
	for _, s := range x.shards() {
		for i := s.first; i < s.first+s.len(); i++ {
			if seen[i] && (s.first >= 1240 || s.first+s.len() <= 1234) {
				t.Errorf("looked at %d for a page of 1234 to 1239", i)
			}
		}
	}
	for range x.FindFrom("here, everywhere", want) {
		want++
	}
	if want != len(texts) {
		t.Errorf("found the texts up to %d of %d", want, len(texts))
	}
}

// Queries of one or two bytes, or of three with one that separates words, are answered
// from the grams alone.
func TestShortQueriesLookAtNoText(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 3))
	texts := slices.Concat(table, jumble(random, 300), newAuthor(1, 3000).texts(300, 900))
	x, seen := watched(texts)
	slow := newNaive(texts)
	queries := []string{"e", "an", "ss", "ß", "\x00", "\xff", "qx", "é"}
	for range 300 {
		q := excerpt(random, pick(random, texts), 3)
		queries = append(queries, q)
	}
	for _, q := range queries {
		if q := Fold(q); len(q) > 3 || len(q) == 3 && isRun([]byte(q)) {
			continue
		}
		if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
			t.Errorf("Find(%q) = %v, want %v", q, got, want)
		}
	}
	if len(seen) > 0 {
		t.Errorf("looked at %d texts", len(seen))
	}
}

// Two words side by side have grams that many texts have, though none has both in a
// row. Of such queries nine in ten may leave no more than one piece in a hundred.
func TestAbsentPhrasesAreRejected(t *testing.T) {
	t.Parallel()
	texts := newAuthor(1, 4000).texts(2000, 1800)
	x := indexOf(texts)
	pieces := x.pieces()
	words := strings.FieldsFunc(Fold(texts[0].Body), func(r rune) bool { return r < 'a' || r > 'z' })
	absent, bad := 0, 0
	for _, a := range words[:40] {
		for _, b := range words[:40] {
			if q := a + " " + b; len(q) >= 8 && x.Find(q).Count() == 0 {
				absent++
				if x.candidates(q)*100 > pieces {
					bad++
				}
			}
		}
	}
	if absent < 100 || bad*10 > absent {
		t.Errorf("of %d phrases that are nowhere, %d leave more than one piece in a hundred", absent, bad)
	}
}

// More texts than a shard takes, and most of them next to nothing.
func TestFindInVeryManyTexts(t *testing.T) {
	t.Parallel()
	const count = 3*mostTexts + 5
	texts := make([]Text, count)
	for i := range texts {
		texts[i].Body = [...]string{"", "a", "ab", "abc", "abcd", "Ä"}[i%6]
	}
	x, slow := indexOf(texts), newNaive(texts)
	for _, q := range []string{"a", "b", "ab", "abc", "abcd", "ä", "bd", "abd"} {
		if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
			t.Errorf("Find(%q): %d texts, want %d", q, len(got), len(want))
		}
	}
}

func TestFindAMillionMatches(t *testing.T) {
	t.Parallel()
	const count = 1_000_000
	one := Texts{
		Len: count, Title: func(int) string { return "" }, Body: func(int) string { return "match" },
		Decode: textsOf(nil).Decode, Encode: textsOf(nil).Encode, Cut: textsOf(nil).Cut,
	}
	x := newIndex(one, runtime.GOMAXPROCS(0))
	for _, q := range []string{"", "m", "MA", "mat", "match"} {
		if got := x.Find(q).Count(); got != count {
			t.Errorf("Find(%q) counts %d", q, got)
		}
		next := count - 2
		for i := range x.FindFrom(q, next) {
			if i != next {
				t.Fatalf("FindFrom(%q) gives %d, want %d", q, i, next)
			}
			next++
		}
		if next != count {
			t.Errorf("FindFrom(%q) ends at %d", q, next)
		}
	}
}

func TestStrangeQueries(t *testing.T) {
	t.Parallel()
	long := newAuthor(9, 3000).prose(5000)
	texts := append(slices.Clone(table),
		Text{Title: "long", Body: long},
		Text{Body: "cafe\u0301 and caf\u00e9"}, Text{Body: "\u0301"},
		Text{Body: "not a character: \ufffd"}, Text{Body: "half a pair: \xed\xa0\x80"},
	)
	x, slow := indexOf(texts), newNaive(texts)
	for _, q := range []string{
		long[1000:2000], strings.ToUpper(long[1000:2000]), strings.Repeat("ab", 500), strings.Repeat("ä", 1000),
		"e\u0301", "\u00e9", "\u0301", "\u0301\u0301", "\ufffd", "\xed\xa0\x80", "\xed", "\xa0", "\xf0\x9f",
	} {
		if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
			t.Errorf("Find(%.40q) = %v, want %v", q, got, want)
		}
	}
}

// needleTexts have every byte of their needles often, or nothing else.
func TestNeedleIn(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(4, 4))
	for range 20_000 {
		alphabet := pick(random, []string{"ab", "etao", "qx", "aeq\x00\xff"})
		text := letters(random, alphabet, random.IntN(120))
		q := letters(random, alphabet, 1+random.IntN(12))
		if len(text) > 0 && random.IntN(2) == 0 {
			from := random.IntN(len(text))
			q = text[from:min(len(text), from+1+random.IntN(20))]
		}
		checkNeedle(t, text, q)
	}
}

func letters(random *rand.Rand, alphabet string, n int) string {
	text := make([]byte, n)
	for i := range text {
		text[i] = alphabet[random.IntN(len(alphabet))]
	}
	return string(text)
}

func checkNeedle(t *testing.T, text, q string) {
	t.Helper()
	kept := textsOf(nil)
	n := newNeedle(q, &kept)
	want := strings.Contains(text, q)
	if got := n.in([]byte(text)); got != want {
		t.Fatalf("in: %q in %q: %v", q, text, got)
	}
	if got := n.inSteadily([]byte(text)); got != want {
		t.Fatalf("inSteadily: %q in %q: %v", q, text, got)
	}
	if got, want := n.at([]byte(text)), bytes.HasPrefix([]byte(text), []byte(q)); got != want {
		t.Fatalf("at: %q before %q: %v", q, text, got)
	}
}

func FuzzNeedle(f *testing.F) {
	f.Add("to see the sea", "sea")
	f.Add(strings.Repeat("se", 40)+"a", "sea")
	f.Add("\x00\x01\x00\x00\x01", "\x00\x01")
	f.Fuzz(func(t *testing.T, text, q string) {
		if q != "" {
			checkNeedle(t, text, q)
		}
	})
}

func ExampleIndex_FindFrom() {
	x := newIndex(textsOf([]Text{{Title: "Straße"}, {Title: "Weg"}, {Body: "an der STRASSE"}, {Body: "Hauptstraße"}}), 1)
	for i := range x.FindFrom("strasse", 1) {
		fmt.Println(i)
	}
	// Output:
	// 2
	// 3
}
