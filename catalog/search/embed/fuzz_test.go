package embed

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// checkLexicon checks invariants that no file may violate.
func checkLexicon(t *testing.T, l *lexicon) {
	t.Helper()
	if l.dimensions < 1 || len(l.rows) == 0 || len(l.numbers) < len(l.rows)*l.dimensions {
		t.Fatalf("%d words, %d numbers, %d dimensions", len(l.rows), len(l.numbers), l.dimensions)
	}
	for word := range l.rows {
		if v, err := l.embed(word + " and more"); err == nil {
			checkVector(t, v)
		}
		return
	}
}

func checkVector(t *testing.T, v Vector) {
	t.Helper()
	sum := 0.0
	for _, n := range v {
		sum += float64(n) * float64(n)
	}
	if sum != 0 && math.Abs(sum-1) > 1e-5 {
		t.Errorf("the length of %v is the root of %g", v, sum)
	}
}

func FuzzWordsGloVe(f *testing.F) {
	for _, text := range []string{"", "the 1 2\ncar 3 4\n", "2 2\ncar 1 2\n", "new york 1 2\n", "a 1 2\nb 1\n", "a 1e38 -1e38\n", "a  1\t2\n"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if l, err := parseGloVe(strings.NewReader(text)); err == nil {
			checkLexicon(t, l)
		}
	})
}

func FuzzWordsJSON(f *testing.F) {
	for _, text := range []string{
		"", "{}", `{"a":[1,2]}`, `{"dimensions":1,"words":["a"],"vectors":{"a":[1,2]}}`, `{"a":[1,2],"a":[1]}`, `{"dimensions":-1,"a":[1]}`,
		`{"vectors":{"vectors":{"a":[1]}}}`, `{"a":[],"b":[1e999],"c":[[1]]}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if l, err := parseJSON(strings.NewReader(text)); err == nil {
			checkLexicon(t, l)
		}
	})
}

func FuzzSafetensors(f *testing.F) {
	for _, head := range []string{
		`{"embeddings":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}}`, `{"embeddings":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]}}`,
		`{"embeddings":{"dtype":"F32","shape":[-1,-2],"data_offsets":[0,8]}}`, `{"embeddings":{"dtype":"F32","shape":[1,1],"data_offsets":[4,8]}}`, `{}`,
	} {
		f.Add(append(append([]byte{byte(len(head)), 0, 0, 0, 0, 0, 0, 0}, head...), 0, 0, 128, 63, 0, 0, 0, 64))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		numbers, columns, err := parseSafetensors(data)
		if err == nil && (columns < 1 || len(numbers) == 0 || len(numbers)%columns != 0) {
			t.Errorf("%d numbers, %d a row", len(numbers), columns)
		}
	})
}

func FuzzTokenizer(f *testing.F) {
	const tokenizer = `{"normalizer":{"type":"BertNormalizer","lowercase":true},"model":{"type":"WordPiece","vocab":{"car":0,"##s":1,"":2}}}`
	f.Add(tokenizer, "Cars, CARS and cárs")
	f.Add(strings.Replace(tokenizer, "##", "", 1), "東京 \u0301\xff")
	f.Fuzz(func(t *testing.T, tokenizer, text string) {
		p, rows, err := parseTokenizer([]byte(tokenizer))
		if err != nil {
			return
		}
		known := map[int32]bool{}
		for _, row := range rows {
			known[row] = true
		}
		for _, row := range p.tokens(text, rows) {
			if !known[row] {
				t.Fatalf("row %d is of no piece", row)
			}
		}
	})
}

func FuzzEmbeddings(f *testing.F) {
	for _, text := range []string{`{"data":[{"index":0,"embedding":[1,2]},{"index":1,"embedding":[0,0]}]}`, `{"data":[{"embedding":[1]},{"embedding":[2]}]}`, `{"data":[]}`, ``} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		vectors, err := readAnswer(bytes.Clone(text), 2)
		if err != nil {
			return
		}
		if len(vectors) != 2 || len(vectors[0]) == 0 || len(vectors[0]) != len(vectors[1]) {
			t.Fatalf("vectors %v", vectors)
		}
		for _, v := range vectors {
			checkVector(t, v)
		}
	})
}
