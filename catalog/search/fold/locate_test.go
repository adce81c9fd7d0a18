package fold

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestLocate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text, q string
		want    []string // texts of the matches
		at      []int    // offsets of the matches
	}{
		{"", "a", nil, nil},
		{"", "", nil, nil},
		{"abc", "", nil, nil},
		{"abc", "abcd", nil, nil},
		{"Wrap, wrap, WRAP", "wRaP", []string{"Wrap", "wrap", "WRAP"}, []int{0, 6, 12}},
		{"aaaaa", "aa", []string{"aa", "aa"}, []int{0, 2}},
		{"Die Straße", "STRASSE", []string{"Straße"}, []int{4}},
		{"STRASSE", "straße", []string{"STRASSE"}, []int{0}},
		{"groß", "s", []string{"ß"}, []int{3}},
		{"sßs", "ss", []string{"sß"}, []int{0}},
		{"ßß", "s", []string{"ß", "ß"}, []int{0, 2}},
		{"eﬃcient", "fi", []string{"ﬃ"}, []int{1}},
		{"eﬃcient", "EFF", []string{"eﬃ"}, []int{0}},
		{"eﬃcient", "icy", nil, nil},
		{"xİy i\u0307", "\u0130", []string{"İ", "i\u0307"}, []int{1, 5}},
		{"xİy", "i", []string{"İ"}, []int{1}},
		{"xİy", "\u0307Y", []string{"İy"}, []int{1}},
		{"300 \u212a, 5 k", "k", []string{"\u212a", "k"}, []int{4, 11}}, // the Kelvin sign
		{"\u0390!", "\u0308", []string{"\u0390"}, []int{0}},             // three times as long
		{"ΣΊΣΥΦΟΣ", "σίσυφος", []string{"ΣΊΣΥΦΟΣ"}, []int{0}},
		{"ꮿᎠ Ꮿꭰ", "Ꮿꭰ", []string{"ꮿᎠ", "Ꮿꭰ"}, []int{0, 7}}, // Cherokee folds to capitals
		{"用户指南", "指南", []string{"指南"}, []int{6}},
		{"𐐀𐐨", "𐐨", []string{"𐐀", "𐐨"}, []int{0, 4}},
		{"ÉA\xffB\xc3", "a\xffb", []string{"A\xffB"}, []int{2}},
		{"xéy", "\xa9", []string{"é"}, []int{1}}, // a match of part of a character covers the whole character
		{"a.*b", ".*", []string{".*"}, []int{1}},
	} {
		var got []string
		var at []int
		for m := range Locate(c.text, c.q) {
			got, at = append(got, c.text[m.Start:m.End]), append(at, m.Start)
		}
		if !slices.Equal(got, c.want) || !slices.Equal(at, c.at) {
			t.Errorf("Locate(%q, %q) = %q at %v, want %q at %v", c.text, c.q, got, at, c.want, c.at)
		}
	}
}

func TestLocateStops(t *testing.T) {
	t.Parallel()
	var first Match
	for first = range Locate("one, one", "one") {
		break
	}
	if first != (Match{0, 3}) {
		t.Errorf("the first match is %v", first)
	}
}

// TestLocateCoversEveryExpansion checks each character that folds to several: a match of
// one of these, or one that begins or ends within them, covers the whole character.
func TestLocateCoversEveryExpansion(t *testing.T) {
	t.Parallel()
	tried := 0
	for r := range rune(unicode.MaxRune + 1) {
		s := string(r)
		parts := []rune(String(s))
		if len(parts) < 2 || !utf8.ValidRune(r) {
			continue
		}
		tried++
		text := "-" + s + "+"
		whole, before, after := Match{1, 1 + len(s)}, Match{0, 1 + len(s)}, Match{1, 2 + len(s)}
		for _, part := range parts {
			checkFirst(t, text, string(part), whole)
		}
		checkFirst(t, text, "-"+string(parts[0]), before)
		checkFirst(t, text, string(parts[len(parts)-1])+"+", after)
	}
	if tried < 100 {
		t.Errorf("%d characters fold to several, Unicode has 104", tried)
	}
}

func checkFirst(t *testing.T, text, q string, want Match) {
	t.Helper()
	found := slices.Collect(Locate(text, q))
	if len(found) == 0 || found[0] != want {
		t.Errorf("Locate(%q, %q) = %v, want %v first", text, q, found, want)
	}
}

// checkLocate checks what the documentation of Locate promises.
func checkLocate(t *testing.T, text, q string) {
	t.Helper()
	end, needle := 0, oracle(q)
	found := slices.Collect(Locate(text, q))
	for _, m := range found {
		if m.Start < end || m.End <= m.Start || m.End > len(text) {
			t.Fatalf("Locate(%q, %q) = %v: empty, out of order or out of the text", text, q, found)
		}
		if !boundary(text, m.Start) || !boundary(text, m.End) {
			t.Errorf("Locate(%q, %q): %v cuts a character", text, q, m)
		}
		if !strings.Contains(oracle(text[m.Start:m.End]), needle) {
			t.Errorf("Locate(%q, %q): %v is %q, which does not contain it", text, q, m, text[m.Start:m.End])
		}
		if strings.Contains(oracle(text[end:m.Start]), needle) {
			t.Errorf("Locate(%q, %q) = %v: one was passed over before %v", text, q, found, m)
		}
		end = m.End
	}
	if needle != "" && strings.Contains(oracle(text[end:]), needle) {
		t.Errorf("Locate(%q, %q) = %v: there is more after that", text, q, found)
	}
}

// boundary reports whether a character begins, or the text ends, at i. A byte that is not
// UTF-8 counts as a character.
func boundary(text string, i int) bool {
	for at := range text {
		if at >= i {
			return at == i
		}
	}
	return i == len(text)
}

func TestLocateInMixedTexts(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 7))
	for range 1500 {
		text := mixed(random, 60)
		checkLocate(t, text, mixed(random, 3))
		if folded := String(text); folded != "" {
			start := random.IntN(len(folded))
			checkLocate(t, text, folded[start:][:min(len(folded)-start, 1+random.IntN(6))])
		}
	}
}

func FuzzLocate(f *testing.F) {
	f.Add("Die Straße, STRASSE", "strasse")
	f.Add("Die Straße", "s")
	for _, c := range foldings {
		f.Add(c.in+c.in, c.want)
		f.Add(c.in, c.in)
	}
	f.Fuzz(func(t *testing.T, text, q string) {
		checkLocate(t, text, q)
		checkLocate(t, text, text[min(len(q), len(text)):])
	})
}

func BenchmarkLocate(b *testing.B) {
	plain := strings.Repeat("Say what happened, to whom, and why. ", 50)
	for _, c := range []struct{ name, text, q string }{
		{"ASCII", plain + "quux", "quux"},
		{"Cyrillic", strings.Repeat("Привет, мир. ", 80) + "Ъ", "ъ"},
		{"EveryByte", strings.Repeat("a", 1800), "a"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				for range Locate(c.text, c.q) {
				}
			}
		})
	}
}

// mixed returns at most runes characters: of many scripts, characters that grow, shrink or
// vanish in folding, and bytes that are not UTF-8.
func mixed(random *rand.Rand, runes int) string {
	alphabets := []string{
		"abcde ABCDE\n", "ſsSßẞKkKåÅÅ", "ΣσςΩΩωΐΰᾳᾼ", "жЖийЙ", "İıIi̇ŉŉǰΐ", "ﬀﬁﬃﬅﬆ", "ᎠꭰᏸᏰ", "𐐀𐐨😀", "用户指南", "\x00\x01", "e\u0301é",
	}
	var text strings.Builder
	for range random.IntN(runes + 1) {
		if random.IntN(200) == 0 {
			text.WriteString(pick(random, []string{"\xff", "\xc3", "\xe2\x84", "\xed\xa0\x80", "\x80"}))
			continue
		}
		letters := []rune(alphabets[random.IntN(1+random.IntN(len(alphabets)))])
		text.WriteRune(pick(random, letters))
	}
	return text.String()
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }
