package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
)

// What is a part of words is answered by dictionaries, without a look at a text.
func TestWordsLookAtNoText(t *testing.T) {
	t.Parallel()
	texts := newAuthor(3, 500).texts(600, 900)
	x, seen := watched(texts)
	slow := newNaive(texts)
	words := strings.FieldsFunc(slow[7].Body+slow[300].Body, func(r rune) bool { return r < 'a' || r > 'z' })
	for _, word := range words {
		for _, q := range []string{word, word[len(word)/2:], word[:(len(word)+1)/2], word + word, "x" + word} {
			if len(q) < 3 {
				continue
			}
			if got, want := slices.AppendSeq([]int{}, x.Find(q).From(0)), slow.find(q); !slices.Equal(got, want) {
				t.Fatalf("Find(%q) = %v, want %v", q, got, want)
			}
		}
	}
	rest := x.groups[0].rest
	if left := rest.count(); left*20 > len(texts) {
		t.Fatalf("%d texts have words without a set: they do not test what they should", left)
	}
	for i := range seen {
		if !rest.has(i) {
			t.Errorf("looked at text %d", i)
		}
	}
}

// Words that get no set are looked for in the texts: too long ones, and those that do not fit.
func TestWordsWithoutASetAreFound(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 5))
	texts := make([]Text, 400)
	for i := range texts {
		var body strings.Builder
		for range 60 {
			fmt.Fprintf(&body, "%x ", random.Uint64()) // no word is there twice
		}
		if i%5 == 0 {
			body.WriteString(strings.Repeat("long", longestToken))
		}
		texts[i].Body = body.String() + "common words"
	}
	x, slow := indexOf(texts), newNaive(texts)
	if x.groups[0].rest == nil {
		t.Error("all words have a set: the texts do not test what they should")
	}
	for _, q := range []string{"longlong", "common", "ommo", "words", texts[9].Body[:12], texts[9].Body[3:9], strings.Repeat("long", longestToken) + "common"} {
		if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
			t.Errorf("Find(%.20q) = %v, want %v", q, got, want)
		}
	}
}

// Short texts of the shortest words have most tokens for their bytes.
func TestShortestWords(t *testing.T) {
	t.Parallel()
	text := ""
	for i := range 40 {
		text += string(rune('0'+i)) + " " // digits, then signs, then letters
		texts := []Text{{Title: text}}
		x, slow := indexOf(texts), newNaive(texts)
		for _, q := range []string{text, text[len(text)/2:], "x y"} {
			if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
				t.Errorf("Find(%q) = %v in %q, want %v", q, got, text, want)
			}
		}
	}
}

// A word must not be put together of the end of one and the beginning of the
// next in the dictionary, nor of a title and a body; and what has blanks in it is
// found only with as many as there are.
func TestTokensDoNotRunTogether(t *testing.T) {
	t.Parallel()
	texts := slices.Repeat([]Text{
		{Title: "alpha", Body: "beta gamma "}, {Title: "delta alpha", Body: " beta delta"}, {Body: "alpha  beta\ngamma"}, {Body: "gamma alphabet"},
		{Body: "delta  beta gamma"}, {Body: "beta \t gamma delta"},
	}, 20)
	x, slow := indexOf(texts), newNaive(texts)
	for _, q := range []string{
		"alphabeta", "betagamma", "gammaalpha", "alpha beta", "alpha beta ", "beta gamma", "beta gamma ", "gamma alpha", "delta beta", "delta  beta", "beta gamma delta", "ta ga", "a b", "a  b", "a\ng", "lta alp", "phabet",
	} {
		if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
			t.Errorf("Find(%q) = %v, want %v", q, got, want)
		}
	}
}

// Characters beyond ASCII that fold to ASCII are found by needles of ASCII, across
// pieces too.
func TestMixedPieces(t *testing.T) {
	t.Parallel()
	for shift := range 300 {
		body := strings.Repeat("-", shift) + "=Mas\u017fe, 3\u00a0\u212a, Stra\u1e9ee, o\ufb03ce=" + strings.Repeat("-", 600)
		x := indexOf([]Text{{Body: body}, {Title: "\u212a-point"}})
		for q, want := range map[string][]int{"=masse,": {0}, "=strasse": {}, " strasse, office=": {0}, "k-point": {1}, "\u00a0k,": {0}} {
			if got := x.find(q); !slices.Equal(got, want) {
				t.Fatalf("shift %d: Find(%q) = %v, want %v", shift, q, got, want)
			}
		}
	}
}

func TestSpellingIndex(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(6, 6))
	for range 20_000 {
		alphabet := pick(random, []string{"aAbB", "kK[{", "@`aA", "zZ9-"})
		text := letters(random, alphabet, random.IntN(60))
		q := strings.ToLower(letters(random, alphabet, 1+random.IntN(12)))
		s := newSpelling([]byte(q))
		if got, want := s.index(text), strings.Index(strings.ToLower(text), q); got != want {
			t.Fatalf("%q in %q: %d, want %d", q, text, got, want)
		}
	}
}

// Texts may be kept in a form in which characters take more bytes. Pieces end
// only where that form may be cut.
func TestFindInKeptForm(t *testing.T) {
	t.Parallel()
	for seed := range uint64(8) {
		random := rand.New(rand.NewPCG(seed, 7))
		texts := jumble(random, 1+random.IntN(120))
		kept := make([]string, len(texts))
		for i, text := range texts {
			kept[i] = escape(text.Body)
		}
		var cuts atomic.Int64
		x := newIndex(Texts{
			Len: len(texts), Title: func(i int) string { return texts[i].Title }, Body: func(i int) string { return kept[i] },
			Decode: func(dst []byte, kept string) []byte { return append(dst, unescape(kept)...) },
			Encode: func(dst []byte, text string) []byte { return append(dst, escape(text)...) },
			Cut: func(kept string, from, at int) int {
				cuts.Add(1)
				for from < at {
					from += sizeOfFirst(kept[from:])
				}
				return from
			},
		}, 2)
		slow := newNaive(texts)
		for range 150 {
			q := excerpt(random, pick(random, texts), pick(random, []int{3, 4, 12, 40, 300}))
			if got, want := x.find(q), slow.find(q); !slices.Equal(got, want) {
				t.Fatalf("seed %d: Find(%q) = %v, want %v", seed, q, got, want)
			}
		}
		if seed == 0 && cuts.Load() == 0 {
			t.Error("nothing was cut: the texts do not test what they should")
		}
	}
}

// escape keeps a control character as a backslash, two digits and three more, six
// bytes in all. There must be no other backslash.
func escape(text string) string {
	var kept strings.Builder
	for _, c := range []byte(text) {
		if c < ' ' {
			fmt.Fprintf(&kept, `\%02x000`, c)
		} else {
			kept.WriteByte(c)
		}
	}
	return kept.String()
}

func unescape(kept string) string {
	var text strings.Builder
	for len(kept) > 0 {
		if kept[0] != '\\' {
			text.WriteByte(kept[0])
			kept = kept[1:]
			continue
		}
		var c byte
		fmt.Sscanf(kept[1:3], "%02x", &c)
		text.WriteByte(c)
		kept = kept[6:]
	}
	return text.String()
}

func sizeOfFirst(kept string) int {
	if kept[0] == '\\' {
		return 6
	}
	return textsOf(nil).Cut(kept, 0, 1)
}
