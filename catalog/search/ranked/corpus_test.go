package ranked

import (
	"math/rand/v2"
	"strings"
)

// An author generates reproducible texts. Its word frequencies fall as in a natural
// language.
type author struct {
	random *rand.Rand
	zipf   *rand.Zipf
	words  []string
}

func newAuthor(seed uint64, vocabulary int) *author {
	random := rand.New(rand.NewPCG(seed, seed))
	a := &author{random: random, zipf: rand.NewZipf(random, 1.1, 4, uint64(vocabulary-1))}
	for range vocabulary {
		a.words = append(a.words, a.coin())
	}
	return a
}

// coin invents a word of one to four syllables. The word never has q, w or x.
func (a *author) coin() string {
	onsets := strings.Fields("b c d f g h l m n p r s t v st tr pr ch sh th k j")
	nuclei := strings.Fields("a e i o u e a io ea ou y")
	codas := strings.Fields("n r s t l nd ng st ck m - - - -")
	var word strings.Builder
	for range 1 + a.random.IntN(4) {
		word.WriteString(pick(a.random, onsets) + pick(a.random, nuclei))
		word.WriteString(strings.TrimSuffix(pick(a.random, codas), "-"))
	}
	return word.String()
}

// prose returns at least size bytes of sentences.
func (a *author) prose(size int) string {
	var text strings.Builder
	for text.Len() < size {
		word := a.words[a.zipf.Uint64()]
		text.WriteString(strings.ToUpper(word[:1]) + word[1:])
		for range 4 + a.random.IntN(14) {
			text.WriteByte(' ')
			text.WriteString(a.words[a.zipf.Uint64()])
		}
		text.WriteString(pick(a.random, []string{". ", ".\n\n", ".\n- ", ": ", "? "}))
	}
	return text.String()
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

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
