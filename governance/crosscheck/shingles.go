package crosscheck

import (
	"hash/fnv"
	"iter"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"
)

// shingleWords is the number of consecutive words in a shingle.
const shingleWords = 3

// The signature of a text holds the smallest hash of its shingles under each of many
// hash functions (MinHash). It is split into bands, and texts with a band in common are
// compared. If two texts share 0.8 of their shingles, about one pair in 5,000 has no
// band in common. If they share 0.3, nine pairs in ten have none.
const (
	bands    = 16
	bandRows = 4
	// maxBand is the maximum number of texts with the same band that a text is compared
	// with. Texts made from one template are all similar, and not all pairs need to be
	// compared.
	maxBand = 8
)

// shingles are the distinct hashes of a text's shingles, sorted.
type shingles []uint64

// shinglesOf returns the shingles of a text, ignoring case and everything between
// words. A text with fewer words than a shingle has none.
func shinglesOf(text string) shingles {
	var words [shingleWords]uint64
	var found shingles
	n, hasher := 0, fnv.New64a()
	for word := range foldedWords(text) {
		hasher.Reset()
		hasher.Write(word)
		words[n%shingleWords] = hasher.Sum64()
		if n++; n < shingleWords {
			continue
		}
		hash := uint64(0)
		for i := range shingleWords {
			hash = mix(hash ^ words[(n+i)%shingleWords])
		}
		found = append(found, hash)
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// firstAlone is a lower bound for the characters of scripts without spaces between
// words.
const firstAlone = '\u0e00'

// foldedWords yields the words of a text in lower case. Each is valid until the next.
// In a script without spaces between words, each character is a word.
func foldedWords(text string) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		var word []byte
		flush := func() bool {
			more := len(word) == 0 || yield(word)
			word = word[:0]
			return more
		}
		for _, r := range text {
			alone := r >= firstAlone && unicode.In(r, unicode.Thai, unicode.Han, unicode.Hiragana, unicode.Katakana)
			inWord := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
			if (alone || !inWord) && !flush() {
				return
			}
			if inWord {
				word = utf8.AppendRune(word, unicode.ToLower(r))
			}
			if alone && !flush() {
				return
			}
		}
		flush()
	}
}

// mix spreads each bit of a value over all bits of the result. Different values have
// different results.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// jaccard returns the number of shingles that both texts have, divided by the number
// that either has.
func jaccard(a, b shingles) float64 {
	both, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			both, i, j = both+1, i+1, j+1
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

// shingled is a text prepared for comparison with others.
type shingled struct {
	shingles shingles
	bands    [bands]uint64 // set by sign
}

// multipliers holds one factor for each hash function, which multiplies the hash of a
// shingle by it.
var multipliers = func() (all [bands * bandRows]uint64) {
	for i := range all {
		all[i] = mix(uint64(i)) | 1
	}
	return all
}()

// sign computes the signature of the text and sets bands.
func (s *shingled) sign() {
	var least [bands * bandRows]uint64
	for i, m := range multipliers {
		lowest := uint64(math.MaxUint64)
		for _, hash := range s.shingles {
			lowest = min(lowest, hash*m)
		}
		least[i] = lowest
	}
	for i := range s.bands {
		hash := uint64(i)
		for _, value := range least[i*bandRows : (i+1)*bandRows] {
			hash = mix(hash ^ value)
		}
		s.bands[i] = hash
	}
}

// shingleIndex maps a key to the indexes of the texts that have it, at most maxBand of
// them. A key is the hash of a band combined with another lookup key; see [keysFor].
type shingleIndex map[uint64][]int

// add adds a text under each of its keys. It skips keys that already have maxBand
// texts.
func (x shingleIndex) add(keys []uint64, text int) {
	for _, k := range keys {
		if members := x[k]; len(members) < maxBand {
			x[k] = append(members, text)
		}
	}
}

// candidates returns the distinct texts that share a key and may be nearly the same.
func (x shingleIndex) candidates(keys []uint64) (texts []int) {
	for _, k := range keys {
		texts = append(texts, x[k]...)
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}
