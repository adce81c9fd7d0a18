package crosscheck

import (
	"hash/fnv"
	"iter"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"
)

// shingleWords is how many words follow each other in a shingle.
const shingleWords = 3

// The signature of a text is the least value that each of many hash functions has
// among its shingles (MinHash). It is cut into bands, and texts that agree in a band
// are compared. Of two with 0.8 of their shingles in common, one of 5,000 pairs
// agrees in none; of two with 0.3, nine of ten do.
const (
	bands    = 16
	bandRows = 4
	// maxBand is how many texts that agree in a band are compared with another:
	// many are alike where they are made from one form, and need not be compared
	// all with all.
	maxBand = 8
)

// shingles are the hashes of a text's shingles, sorted, each once.
type shingles []uint64

// shinglesOf cuts a text into its shingles, whatever the case of its letters and
// what stands between its words. One with fewer words than a shingle has none.
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

// firstAlone is the first character of scripts that put no blanks between words.
const firstAlone = '\u0e00'

// foldedWords yields the words of a text in lower case, each valid until the next. Where a script puts no blanks between words, each character is one.
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

// mix spreads the bits of a value over all others, each value to another one.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// jaccard is the share of two texts' shingles that both have.
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

// shingled is a text that can be compared with others.
type shingled struct {
	shingles shingles
	bands    [bands]uint64 // once it is signed
}

// multipliers make as many hash functions of one.
var multipliers = func() (all [bands * bandRows]uint64) {
	for i := range all {
		all[i] = mix(uint64(i)) | 1
	}
	return all
}()

// sign computes the text's signature.
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

// shingleIndex lists, for each key, the numbers of the texts that others are compared
// with. A key is the hash of a band, or another one by which a text is looked up.
type shingleIndex map[uint64][]int

// add adds a text to those that others are compared with.
func (x shingleIndex) add(keys []uint64, text int) {
	for _, k := range keys {
		if members := x[k]; len(members) < maxBand {
			x[k] = append(members, text)
		}
	}
}

// candidates returns the texts that may be nearly the same, each once.
func (x shingleIndex) candidates(keys []uint64) (texts []int) {
	for _, k := range keys {
		texts = append(texts, x[k]...)
	}
	slices.Sort(texts)
	return slices.Compact(texts)
}
