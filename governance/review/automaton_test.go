package review

import (
	"math/rand"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestAutomaton checks that automata match the same texts as package regexp, also if
// states are dropped between texts or within one.
func TestAutomaton(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	for pattern, words := range map[string]string{
		`\b(?:ab|b)(?:\w{1,16}\s){0,9}?(?:c|dd)[^c\n]{0,60}\bend\b`: "ab b c dd a, x end \n ende éa",
		`(?m)^x.{3,40}y$|\Bq\b`:              "x y xx yy \n q \xff",
		`(?s:k.{60,80}z)|[^\x00-\x{10FFFE}]`: "k ſ \u212a zz aaaaaaaaaaaaaaaaaaaaaaaaa \U0010FFFF",
	} {
		a, plain := newAutomaton(pattern, maxStates), regexp.MustCompile(ignoreCase+pattern)
		all, forgotten, size := strings.Split(words, " "), 0, 0
		for range 3000 {
			var text strings.Builder
			for range 1 + random.Intn(40) {
				text.WriteString(all[random.Intn(len(all))] + " "[:random.Intn(2)])
			}
			if got, want := a.matches(text.String(), nil), plain.MatchString(text.String()); got != want {
				t.Fatalf("%s in %q: got %t, want %t", pattern, text.String(), got, want)
			}
			if a.size < size {
				forgotten++
			}
			size = a.size
		}
		t.Logf("%s: forgotten %d times", pattern, forgotten)
	}
}

// TestAutomatonForgets checks that the states of a pattern stay within their size
// limit.
func TestAutomatonForgets(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	a := newAutomaton("[ab]*a[ab]{14}c", maxStates)
	for range 20 {
		text := make([]byte, MaxPrompt)
		for i := range text {
			text[i] = "ab"[random.Intn(2)]
		}
		a.matches(string(text), nil)
		if most := maxStates / (4 * 15); len(a.states) > most || 4*cap(a.next) > 2*maxStates {
			t.Fatalf("%d states and %d transitions are kept, which have more than %d bytes", len(a.states), cap(a.next), maxStates)
		}
	}
}

// An automaton that drops its states at each new one matches the same.
func TestAutomatonOfTwoStates(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	for _, pattern := range []string{`ab{2,3}c`, `a[bc]+a\b`, `b(?:a|cc){2}b`} {
		a, plain := newAutomaton(pattern, 1), regexp.MustCompile(ignoreCase+pattern)
		for range 3000 {
			text := make([]byte, random.Intn(12))
			for i := range text {
				text[i] = "abc "[random.Intn(4)]
			}
			if got, want := a.matches(string(text), nil), plain.Match(text); got != want {
				t.Fatalf("%s in %q: got %t, want %t", pattern, text, got, want)
			}
		}
	}
}

// FuzzFind checks that a rule finds the same matches of its pattern as package regexp.
func FuzzFind(f *testing.F) {
	for _, seed := range [][2]string{
		{`\b(?:ignore|disregard)\s{1,3}all\b`, "please IGNORE  all, allignore all"}, {`kiss`, "\u212Aiſs kiss KISS"},
		{`(?-i:DAN) mode`, "DAN mode"}, {`(a|bcd)(efg|x)`, "bcdefg"}, {`straße`, "STRAẞE"}, {`(?:abc){1,2}d?`, "abcabcd"},
		{`[Kk]elvin|celsius`, "\u212AELVIN"}, {`\B\w{2,4}abc\b`, "xxxxxabc xabc"}, {`(?m)^abc.{0,3}$`, "x\nabc\nabcd\nabcde\nabcdefgh"},
		{`\d+`, "1 22"}, {`(?:[a-z]{2})+x`, "abx"}, {`(?:a|forget)+`, "a forget"},
		{`^abc|abc$`, "abc abc abc"}, {`[^a]{0,3}abc(?s:.){0,2}\b`, "\x80\xff\xffabc\xe2\x82abc"}, {`a[bc]d.{0,2}`, "acd\xf0\x9f\x98\x80"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(text) > 1000 || len(pattern) > 200 {
			return
		}
		r, err := criteriaRule{Pattern: pattern}.compile("c", new(maxStates))
		if err != nil {
			return
		}
		var want []Span
		for _, m := range regexp.MustCompile(ignoreCase+pattern).FindAllStringIndex(text, -1) {
			want = append(want, Span{m[0], m[1]})
		}
		l := newLimit(&usage{}, 1)
		l.begin()
		for _, limit := range []*limit{nil, l} {
			if got := r.find(text, true, limit); !slices.Equal(got, want) {
				t.Errorf("%q in %q, limited: %t: got %v, want %v", pattern, text, limit != nil, got, want)
			}
		}
	})
}
