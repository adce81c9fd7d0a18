package substring

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog/search/fold"
)

// table has texts in many scripts, empty texts, and texts with control characters and
// invalid UTF-8.
var table = []Text{
	{"Die Straße", "Die STRASSE ist lang."},
	{"groß", "Füße und GROẞE Fu\u0308ße"},
	{"", ""}, {"", "a"}, {"a", ""}, {"ab", "c"}, {"\x00", "\x00\x01\x00"},
	{"ΣΊΣΥΦΟΣ", "σίσυφος"}, {"300 \u212a", "eﬃcient ŉ \u0390"}, {"用户指南", "代码评审。"},
	{"ПРИВЕТ", "мир 𐐀😀"}, {"not \ufffd", "\xff\xfe and \xed\xa0\x80 abc"}, {"İstanbul", "ı i\u0307"},
	{"long", strings.Repeat("aaaaaaaaab", 300)},
}

func indexOf(list []Text, before *Index) *Index {
	return New(len(list), func(i int) string { return list[i].Title + "\x00" + list[i].Body }, func(i int) Text { return list[i] }, before)
}

// naive does the same as Find, without an index.
func naive(list []Text, q string, from int) (found []int) {
	q = fold.String(q)
	for i, t := range list {
		if i >= from && !strings.Contains(q, "\xff") &&
			(strings.Contains(fold.String(t.Title), q) || strings.Contains(fold.String(t.Body), q)) {
			found = append(found, i)
		}
	}
	return found
}

// check compares the results of an index, with its postings and without, with those of
// naive.
func check(t *testing.T, x *Index, list []Text, queries ...string) {
	t.Helper()
	for _, q := range queries {
		for _, from := range []int{0, 1, len(list) / 2, len(list)} {
			if got, want := slices.Collect(x.Find(q, from)), naive(list, q, from); !slices.Equal(got, want) {
				t.Fatalf("Find(%.60q, %d) = %v, want %v", q, from, got, want)
			}
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	queries := []string{
		"", "a", "ab", "abc", "A", "strasse", "STRAẞE", "ß", "s", "ss", "groß", "σ", "Σίσυφος", "k", "ffi", "\u0308",
		"指南", "评", "评审。", "привет", "😀", "\ufffd", "\xff", "\xff\xfe", "a\xffb", "\xed\xa0\x80", "\x00", "\x00\x01",
		"\x00\x01\x00", "i\u0307", "ı", "bc", "cd", "absent", strings.Repeat("a", 9) + "b", strings.Repeat("a", 10),
		strings.Repeat("aaaaaaaaab", 299), strings.Repeat("aaaaaaaaab", 301), "die straßedie",
	}
	x := indexOf(table, nil)
	check(t, x, table, queries...)
	x.Build()
	check(t, x, table, queries...)
	check(t, &Index{}, nil, queries...)
}

// letters returns a text of n letters from a small alphabet, so that texts have many parts
// in common.
func letters(random *rand.Rand, n int) string {
	const alphabet = "aaabbcdeE ß.\nσΣ用"
	all := []rune(alphabet)
	var text strings.Builder
	for range n {
		text.WriteRune(all[random.IntN(len(all))])
	}
	return text.String()
}

func randomTexts(random *rand.Rand, n int) []Text {
	list := make([]Text, n)
	for i := range list {
		list[i] = Text{letters(random, random.IntN(8)), letters(random, random.IntN(60))}
	}
	return list
}

// randomQuery returns a part of a text, which may span the title and the body, or random
// letters.
func randomQuery(random *rand.Rand, list []Text) string {
	t := list[random.IntN(len(list))]
	text := []rune(t.Title + t.Body)
	if random.IntN(4) == 0 || len(text) == 0 {
		return letters(random, 1+random.IntN(6))
	}
	start := random.IntN(len(text))
	return string(text[start:min(len(text), start+1+random.IntN(8))])
}

// TestFindIsAPlainScan checks that Find agrees with naive for random texts and queries,
// before and after the postings are built, and after changes of the texts.
func TestFindIsAPlainScan(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 1))
		list := randomTexts(random, 1+random.IntN(1500))
		var x *Index
		for round := range 4 {
			x = indexOf(list, x)
			if round%2 == 0 {
				x.Build()
			}
			for range 25 {
				check(t, x, list, randomQuery(random, list))
			}
			list = slices.Clone(list)
			at := random.IntN(len(list))
			list[at].Body += "changed"
			list = slices.Insert(list, at, randomTexts(random, random.IntN(3))...)
			list = slices.Delete(list, at/2, at/2+1)
			list = append(list, Text{"last", ""})
		}
	}
}

// TestNextIndexSharesSegments checks that adding, changing or removing a text leaves nearly
// all segments unchanged.
func TestNextIndexSharesSegments(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	list := randomTexts(random, 20_000)
	before := indexOf(list, nil)
	before.Build()
	built := map[*texts]bool{}
	for _, s := range before.segments {
		built[s.Content] = true
	}
	for name, next := range map[string][]Text{
		"same":    list,
		"new":     slices.Insert(slices.Clone(list), 777, Text{"new", "text"}),
		"gone":    slices.Delete(slices.Clone(list), 9000, 9001),
		"changed": append(append(slices.Clone(list[:5000]), Text{"changed", ""}), list[5001:]...),
	} {
		x, others := indexOf(next, before), 0
		for _, s := range x.segments {
			if !built[s.Content] {
				others++
			}
		}
		if most := map[bool]int{false: 2}[name == "same"]; others > most || len(x.segments) < 4 {
			t.Errorf("%s: %d of %d segments are not shared", name, others, len(x.segments))
		}
	}
}

// TestFindStops checks that Find searches only as far as positions are requested.
func TestFindStops(t *testing.T) {
	t.Parallel()
	x := indexOf(table, nil)
	for i := range x.Find("", 3) {
		if i != 3 {
			t.Errorf("the first is %d", i)
		}
		break
	}
}

func FuzzFind(f *testing.F) {
	for _, text := range table {
		f.Add(text.Title, text.Body, "strasse", uint8(3))
		f.Add(text.Title, text.Body, text.Title, uint8(100))
	}
	f.Fuzz(func(t *testing.T, title, body, q string, cut uint8) {
		list := []Text{{title, body}, {body, title}, {}, {title + body, body + q}, {"", title + body}}
		x := indexOf(list, nil)
		part := fold.String(body)
		part = part[min(int(cut), len(part)):]
		queries := []string{q, title, part, part[:min(len(part), 2)], part[:min(len(part), 7)]}
		check(t, x, list, queries...)
		x.Build()
		check(t, x, list, queries...)
	})
}

func ExampleIndex() {
	list := []Text{{Title: "Straße"}, {Title: "Weg"}, {Body: "an der STRASSE"}}
	x := New(len(list), func(i int) string { return list[i].Title + "\x00" + list[i].Body }, func(i int) Text { return list[i] }, nil)
	for i := range x.Find("strasse", 0) {
		fmt.Println(i)
	}
	// Output:
	// 0
	// 2
}
