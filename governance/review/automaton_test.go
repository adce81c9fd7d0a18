package review

import (
	"math/rand"
	"regexp"
	"strings"
	"testing"
)

// What package regexp matches, and nothing else, also where the states of a pattern
// are forgotten between texts and in the midst of one.
func TestAutomaton(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	for pattern, words := range map[string]string{
		`\b(?:ab|b)(?:\w{1,16}\s){0,9}?(?:c|dd)[^c\n]{0,60}\bend\b`: "ab b c dd a, x end \n ende éa",
		`(?m)^x.{3,40}y$|\Bq\b`:              "x y xx yy \n q \xff",
		`(?s:k.{60,80}z)|[^\x00-\x{10FFFE}]`: "k ſ \u212a zz aaaaaaaaaaaaaaaaaaaaaaaaa \U0010FFFF",
	} {
		a, plain := newAutomaton(pattern), regexp.MustCompile(ignoreCase+pattern)
		all, forgotten, size := strings.Split(words, " "), 0, 0
		for range 3000 {
			var text strings.Builder
			for range 1 + random.Intn(40) {
				text.WriteString(all[random.Intn(len(all))] + " "[:random.Intn(2)])
			}
			if got, want := a.matches(text.String()), plain.MatchString(text.String()); got != want {
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

// No text makes the states of a pattern grow beyond their bound.
func TestAutomatonForgets(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(1))
	a := newAutomaton("[ab]*a[ab]{14}c")
	for range 20 {
		text := make([]byte, MaxPrompt)
		for i := range text {
			text[i] = "ab"[random.Intn(2)]
		}
		a.matches(string(text))
		seen := map[*state]bool{}
		var see func(s *state)
		see = func(s *state) {
			if s != nil && !seen[s] {
				seen[s] = true
				for _, next := range s.next {
					see(next)
				}
			}
		}
		see(a.first)
		if least := 4 * 15; len(seen) > maxStates/least {
			t.Fatalf("%d states are kept, which have more than %d bytes", len(seen), maxStates)
		}
	}
}
