package search

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
)

// indexOf indexes texts on every processor.
func indexOf(texts []Text) *Index { return newIndex(textsOf(texts), runtime.GOMAXPROCS(0)) }

// find returns what Find does, in order. All ways to ask must say the same.
func (x *Index) find(q string) []int {
	m := x.Find(q)
	found := slices.AppendSeq([]int{}, m.From(0))
	if m.Count() != len(found) {
		panic(fmt.Sprintf("Find(%q): Count() = %d of %v", q, m.Count(), found))
	}
	if one := slices.AppendSeq([]int{}, x.FindFrom(q, 0)); !slices.Equal(one, found) {
		panic(fmt.Sprintf("FindFrom(%q, 0) = %v, but Find says %v", q, one, found))
	}
	return found
}

// naive is what Find means: no index, no fold of this package.
type naive []Text

func newNaive(texts []Text) naive {
	folded := make(naive, len(texts))
	for i, t := range texts {
		folded[i] = Text{oracle(t.Title), oracle(t.Body)}
	}
	return folded
}

func (texts naive) find(q string) []int {
	found, q := []int{}, oracle(q)
	for i, t := range texts {
		if strings.Contains(t.Title, q) || strings.Contains(t.Body, q) {
			found = append(found, i)
		}
	}
	return found
}

var table = []Text{
	0: {},
	1: {Title: "Straße", Body: "Der Weg nach GROẞ-GERAU."},
	2: {Title: "STRASSE", Body: "Groß-Gerau"},
	3: {Title: "Wiſſen", Body: "300 \u212a"},
	4: {Title: "ΟΔΥΣΣΕΥΣ", Body: "σίσυφος"},
	5: {Title: "only a title"},
	6: {Body: "only a body"},
	7: {Title: "ab", Body: "cd"},
	8: {Title: "cut\xff", Body: "\xffhere\x00there"},
	9: {Title: "long", Body: strings.Repeat("-", 5000) + "Ende" + strings.Repeat("-", 700)},
}

func TestFind(t *testing.T) {
	t.Parallel()
	x, slow := indexOf(table), newNaive(table)
	for _, c := range []struct {
		q    string
		want []int
	}{
		{"", []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"strasse", []int{1, 2}},
		{"STRAẞE", []int{1, 2}},
		{"groß-gerau", []int{1, 2}},
		{"wissen", []int{3}},
		{"k", []int{3}},
		{"\u212a", []int{3}},
		{"K", []int{3}},
		{"ὈΔΥΣΣΕΎΣ", []int{}},
		{"οδυσσευς", []int{4}},
		{"ΣΊΣΥΦΟΣ", []int{4}},
		{"ς", []int{4}},
		{"only a", []int{5, 6}},
		{"bc", []int{}},
		{"abcd", []int{}},
		{"b\xffc", []int{}},
		{"cd", []int{7}},
		{"\xff", []int{8}},
		{"\xff\xff", []int{}},
		{"t\xff", []int{8}},
		{"\xffhere", []int{8}},
		{"e\x00t", []int{8}},
		{"\x00", []int{8}},
		{"-ende-", []int{9}},
		{strings.Repeat("-", 5000), []int{9}},
		{strings.Repeat("-", 5001), []int{}},
		{strings.Repeat("-", 4000) + "ENDE" + strings.Repeat("-", 700), []int{9}},
		{strings.Repeat("x", 10000), []int{}},
	} {
		if got := x.find(c.q); !reflect.DeepEqual(got, c.want) {
			t.Errorf("Find(%.40q) = %#v, want %v", c.q, got, c.want)
		}
		if want := slow.find(c.q); !slices.Equal(c.want, want) {
			t.Errorf("the table wants %v for %.40q, the oracle %v", c.want, c.q, want)
		}
	}
}

func TestIndexWithoutTexts(t *testing.T) {
	t.Parallel()
	for name, x := range map[string]*Index{"zero": {}, "nil": indexOf(nil), "empty": indexOf([]Text{})} {
		for _, q := range []string{"", "a", "abc"} {
			if got := x.find(q); got == nil || len(got) != 0 {
				t.Errorf("%s: Find(%q) = %#v, want an empty slice", name, q, got)
			}
		}
		if x.Len() != 0 || x.Size() != 0 {
			t.Errorf("%s: Len() = %d, Size() = %d, want 0", name, x.Len(), x.Size())
		}
	}
}

func TestFindInEmptyTexts(t *testing.T) {
	t.Parallel()
	x := indexOf(make([]Text, 3))
	if got, want := x.find(""), []int{0, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("Find(\"\") = %v, want %v", got, want)
	}
	for _, q := range []string{"a", "\x00", "\x00\x00", "abc"} {
		if got := x.find(q); len(got) != 0 {
			t.Errorf("Find(%q) = %v in empty texts", q, got)
		}
	}
}

// The answer belongs to the caller: spoiling it must not spoil the next.
func TestMatchesBelongToTheCaller(t *testing.T) {
	t.Parallel()
	texts := newAuthor(7, 300).texts(300, 600)
	x, slow := indexOf(texts), newNaive(texts)
	for _, q := range []string{"", "a", "e ", "a, ", texts[0].Body[100:104], texts[0].Body[100:112], ". the"} {
		m := x.Find(q)
		for i := range m.words {
			m.words[i] = ^m.words[i]
		}
		if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
			t.Errorf("Find(%q) = %v after its answer was written to, want %v", q, got, want)
		}
	}
}

// jumble writes texts of all sizes from nothing to many pieces.
func jumble(random *rand.Rand, count int) []Text {
	texts := make([]Text, count)
	for i := range texts {
		size := pick(random, []int{0, 3, 60, 400, 600, 3000})
		texts[i] = Text{Title: mixed(random, 20), Body: mixed(random, size)}
	}
	return texts
}

// excerpt cuts a query out of a text, at bytes, so that it may begin or end
// inside a character.
func excerpt(random *rand.Rand, t Text, longest int) string {
	from := pick(random, []string{t.Title, t.Body, t.Body, t.Title + t.Body})
	if from == "" {
		return ""
	}
	start := random.IntN(len(from))
	return from[start:min(len(from), start+1+random.IntN(longest))]
}

func TestFindAgreesWithNaiveSearch(t *testing.T) {
	t.Parallel()
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		texts := jumble(random, 1+random.IntN(150))
		x, slow := indexOf(texts), newNaive(texts)
		for range 150 {
			q := mixed(random, 1+random.IntN(5))
			if random.IntN(3) > 0 {
				q = excerpt(random, pick(random, texts), pick(random, []int{1, 2, 3, 4, 40, 2000}))
			}
			if random.IntN(2) == 0 {
				q = strings.ToUpper(q)
			}
			if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
				t.Fatalf("seed %d: Find(%q) = %v, want %v", seed, q, got, want)
			}
		}
	}
}

// Queries of many lengths that begin or end around an edge between two pieces.
func TestFindAcrossPieces(t *testing.T) {
	t.Parallel()
	body := newAuthor(5, 3000).prose(60 * pieceBytes)
	x := indexOf([]Text{{Body: "before"}, {Title: "title", Body: body}, {Body: "after"}})
	text, pieces := Fold(body), x.shards()[0].pieces
	for _, p := range pieces[8 : len(pieces)-8] {
		for _, length := range []int{1, 2, 3, 4, filteredBytes - 1, filteredBytes, filteredBytes + 1, 100, 1200} {
			for near := -3; near <= 3; near++ {
				for _, start := range []int{int(p.start) + near, int(p.start) + near - length} {
					q := text[start:min(start+length, len(text))]
					if got := x.find(q); !slices.Contains(got, 1) {
						t.Fatalf("Find(%q) = %v, lacks 1 (start %d, piece at %d)", q, got, start, p.start)
					}
				}
			}
		}
	}
}

// Several shards: positions must count on across them.
func TestFindAcrossShards(t *testing.T) {
	t.Parallel()
	a := newAuthor(3, 3000)
	texts := a.texts(60, largestShard/20)
	x, slow := indexOf(texts), newNaive(texts)
	if len(x.shards()) < 3 {
		t.Fatalf("%d shards, want at least 3", len(x.shards()))
	}
	for range 60 {
		q := excerpt(a.random, pick(a.random, texts), 40)
		if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
			t.Fatalf("Find(%q) = %v, want %v", q, got, want)
		}
	}
}

// One text far beyond a shard's size among small ones.
func TestFindInAHugeText(t *testing.T) {
	t.Parallel()
	a := newAuthor(4, 3000)
	texts := a.texts(50, 300)
	texts[20].Body = a.prose(2*largestShard) + "Quux Wyx"
	texts[40].Body += "quux wyx"
	x := indexOf(texts)
	if got, want := x.find("QUUX WYX"), []int{20, 40}; !slices.Equal(got, want) {
		t.Errorf("Find = %v, want %v", got, want)
	}
}

// A query of one repeated byte in texts of that byte is what the search by rare
// byte does worst.
func TestFindInMonotonousTexts(t *testing.T) {
	t.Parallel()
	texts := []Text{{Body: strings.Repeat("q", 3000)}, {Body: strings.Repeat("q", 700) + "e" + strings.Repeat("q", 90)}}
	x, slow := indexOf(texts), newNaive(texts)
	for _, q := range []string{"q", "qq", strings.Repeat("q", 600) + "e", "e" + strings.Repeat("q", 90), "e" + strings.Repeat("q", 91), strings.Repeat("q", 701)} {
		if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
			t.Errorf("Find(%.10q, %d bytes) = %v, want %v", q, len(q), got, want)
		}
	}
}

// shards returns those of all groups.
func (x *Index) shards() (all []shard) {
	for _, g := range x.groups {
		all = append(all, g.shards...)
	}
	return all
}

func (x *Index) pieces() (count int) {
	for _, s := range x.shards() {
		count += len(s.pieces)
	}
	return count
}

// candidates counts the pieces that are left to look at for a folded query.
func (x *Index) candidates(q string) (left int) {
	n, m := x.needle(q), newMatches(x.texts.Len)
	for _, g := range x.groups {
		for _, s := range g.open(nil, g.settle(&n, m)) {
			rows := s.filters.locate(nil, n.keys)
			for i, p := range s.pieces {
				if s.isOpen(int(p.text)) && s.filters.candidates(i/64, rows)>>(i%64)&1 != 0 {
					left++
				}
			}
		}
	}
	return left
}

// The filters must reject, not only be right: an absent term of rare letters
// may leave no more than one piece in a thousand to look at.
func TestFiltersReject(t *testing.T) {
	t.Parallel()
	x := indexOf(newAuthor(1, 4000).texts(1000, 1800))
	if left, pieces := x.candidates("of, xwqx. ylow"), x.pieces(); left*1000 > pieces {
		t.Errorf("%d of %d pieces left as candidates for an absent term", left, pieces)
	}
}

func TestSizeIsLessThanTheTexts(t *testing.T) {
	t.Parallel()
	for _, size := range []int{300, 1800, 20000} {
		texts := newAuthor(1, 4000).texts(2_000_000/size, size)
		var bytes int64
		for _, text := range texts {
			bytes += int64(len(text.Title) + len(text.Body))
		}
		x := indexOf(texts)
		if got := x.Size(); got >= bytes || got < bytes*bitsPerByte/8*9/10 {
			t.Errorf("texts of %d bytes: Size() = %d for %d bytes of text", size, got, bytes)
		}
		if got := x.Len(); got != len(texts) {
			t.Errorf("Len() = %d, want %d", got, len(texts))
		}
	}
}

// This test changes GOMAXPROCS and so runs alone.
func TestNewIsDeterministic(t *testing.T) {
	texts := newAuthor(2, 3000).texts(700, 1800)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	want := indexOf(texts)
	for _, procs := range []int{1, 2, 7} {
		runtime.GOMAXPROCS(procs)
		if x := indexOf(texts); !reflect.DeepEqual(x.groups, want.groups) {
			t.Errorf("another index under GOMAXPROCS %d", procs)
		}
	}
}

func TestFindConcurrently(t *testing.T) {
	t.Parallel()
	a := newAuthor(6, 3000)
	texts := a.texts(400, 1800)
	x, slow := indexOf(texts), newNaive(texts)
	queries := []string{"", "e", "qx", "sh"}
	for range 20 {
		queries = append(queries, excerpt(a.random, pick(a.random, texts), 20))
	}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for _, q := range queries {
				if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
					t.Errorf("Find(%q) = %v, want %v", q, got, want)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzFind(f *testing.F) {
	for _, text := range table {
		f.Add(text.Title, text.Body, "strasse", uint16(3))
		f.Add(text.Title, text.Body, text.Title, uint16(100))
	}
	for _, c := range foldings {
		f.Add(c.in, c.want, c.in, uint16(1))
	}
	f.Fuzz(func(t *testing.T, title, body, q string, at uint16) {
		long := strings.Repeat(body+"\n", min(40, 1+4000/(len(body)+1)))
		texts := []Text{{title, body}, {body, title}, {}, {title, long}, {Body: title + long + q}}
		x, slow := indexOf(texts), newNaive(texts)
		start := min(int(at), len(long))
		for _, q := range []string{q, long[start:min(len(long), start+len(q))]} {
			if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
				t.Errorf("Find(%q) = %v, want %v in %q, %q", q, got, want, title, body)
			}
		}
	})
}
