package embed_test

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"instruction-catalog/catalog/search/embed"
)

// bert is a tokenizer with a few pieces.
const bert = `{"normalizer":{"type":"BertNormalizer","lowercase":true,"strip_accents":null},"pre_tokenizer":{"type":"BertPreTokenizer"},
"model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":20,
"vocab":{"[PAD]":0,"[UNK]":1,"car":2,"##s":3,"cafe":4,"!":5,"東":6}}}`

// safetensors returns a safetensors file with the given header and numbers.
func safetensors(head string, width int, numbers ...float32) string {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(head)))
	b = append(b, head...)
	for _, n := range numbers {
		if width == 4 {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(n))
		} else { // a power of two, or 0
			bits := uint16(0)
			if n != 0 {
				bits = uint16(math.Float32bits(n)>>16&0x8000) | uint16(math.Ilogb(float64(n))+15)<<10
			}
			b = binary.LittleEndian.AppendUint16(b, bits)
		}
	}
	return string(b)
}

func headOf(kind string, rows, columns, width int) string {
	return fmt.Sprintf(`{"__metadata__":{"format":"pt"},"embeddings":{"dtype":%q,"shape":[%d,%d],"data_offsets":[0,%d]}}`, kind, rows, columns, rows*columns*width)
}

// rows are the vectors of the pieces of bert.
var rows = []float32{0, 0, 0, 8, 4, 0, 0, 2, -1, 0, 0, 0.5, 1, 1}

func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// embedAll returns the vectors of texts from the embedder for a source.
func embedAll(t testing.TB, source string, texts ...string) ([]embed.Vector, error) {
	t.Helper()
	e, err := embed.Open(source, "")
	if err != nil {
		t.Fatal(err)
	}
	return e.Embed(t.Context(), texts)
}

// TestWordVectors checks each format of word vectors and the resulting vectors of texts.
func TestWordVectors(t *testing.T) {
	t.Parallel()
	glove := "The 9 9\ncar 4 0\ncar 7 7\nnew york 0 2\n\nÉté -1 0\n"
	tests := map[string]struct {
		path  string
		files map[string]string
		texts map[string][2]float32
	}{
		"GloVe": {"v.txt", map[string]string{"v.txt": glove}, map[string][2]float32{
			"car": {1, 0}, "CAR": {1, 0}, "a car, a Car!": {1, 0}, "york": {0, 0}, "Été": {-1, 0}, "": {0, 0}, "nothing": {0, 0},
		}},
		"word2vec":           {"v.vec", map[string]string{"v.vec": "2 2\ncar 4 0 \nbike 0 2 \n"}, map[string][2]float32{"car": {1, 0}, "bike": {0, 1}}},
		"largest file":       {"", map[string]string{"package.json": "{}", "v.json": `{"car":[4,0],"bike":[0, 2e0]}`}, map[string][2]float32{"bike": {0, 1}}},
		"JSON of dimensions": {"v.json", map[string]string{"v.json": `{"size":1,"dimensions":2,"words":["car"],"vectors":{"car":[3,0,3,0]},"unk":[0,0,1]}`}, map[string][2]float32{"car": {1, 0}}},
		"model2vec": {"", map[string]string{"tokenizer.json": bert, "model.safetensors": safetensors(headOf("F32", 7, 2, 4), 4, rows...), "other.txt": glove}, map[string][2]float32{
			"car": {1, 0}, "Cars": {0.8944272, 0.4472136}, "CAFÉ": {-1, 0}, "cafe\u0301": {-1, 0}, "carx": {0, 0}, "[UNK]": {0, 0}, "東京": {0.70710677, 0.70710677},
			"nothing": {0, 0}, strings.Repeat("car", 7): {0, 0}, "\u200bcar\x00": {1, 0}, "café!": {-0.8944272, 0.4472136},
		}},
		"model2vec F16": {"model.safetensors", map[string]string{"tokenizer.json": bert, "model.safetensors": safetensors(headOf("F16", 7, 2, 2), 2, rows...)}, map[string][2]float32{
			"cars": {0.8944272, 0.4472136}, "cafe": {-1, 0},
		}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := filepath.Join(folder(t, tt.files), tt.path)
			for text, want := range tt.texts {
				got, err := embedAll(t, source, text)
				if err != nil || len(got[0]) != 2 || [2]float32(got[0]) != want {
					t.Errorf("%q: %v, %v, want %v", text, got, err, want)
				}
			}
		})
	}
}

// TestBadWordVectors checks the errors for invalid word vectors.
func TestBadWordVectors(t *testing.T) {
	t.Parallel()
	with := func(tokenizer, model string) map[string]string {
		return map[string]string{"tokenizer.json": tokenizer, "model.safetensors": model}
	}
	good := safetensors(headOf("F32", 7, 2, 4), 4, rows...)
	tests := map[string]struct {
		files map[string]string
		want  string
	}{
		"nothing":           {nil, "the folder has no model.safetensors"},
		"empty":             {map[string]string{"v.txt": "\n"}, "there are no words with vectors in it"},
		"another length":    {map[string]string{"v.txt": "a 1 2 3\nb 1 2\n"}, `line 2`},
		"no number":         {map[string]string{"v.txt": "a 1 2\nb 1 x\n"}, `line 2: "x" is no finite number`},
		"NaN":               {map[string]string{"v.txt": "a 1 NaN\n"}, `line 1: "NaN" is no finite number`},
		"a long line":       {map[string]string{"v.txt": "a " + strings.Repeat("1 ", 1<<20)}, "too long"},
		"no object":         {map[string]string{"v.json": "[1]"}, "it is no JSON object"},
		"cut JSON":          {map[string]string{"v.json": `{"a":[1,2],"b":[1`}, "EOF"},
		"JSON of lengths":   {map[string]string{"v.json": `{"a":[1,2],"b":[1]}`}, `the word "b" has 1 numbers, and others have 2`},
		"a large number":    {map[string]string{"v.json": `{"a":[1,1e300]}`}, `the word "a" has the number 1e+300`},
		"no tokenizer":      {map[string]string{"model.safetensors": good}, "tokenizer.json: no such file"},
		"another tokenizer": {with(`{"model":{"type":"BPE","vocab":{}}}`, good), `the type "BPE": only WordPiece is known`},
		"its normalizer":    {with(`{"normalizer":{"type":"NFC"},"model":{"type":"WordPiece","vocab":{"a":0}}}`, good), `only BertNormalizer is known`},
		"no JSON":           {with("x", good), "it is no tokenizer in JSON"},
		"too many pieces":   {with(strings.Replace(bert, `"東":6`, `"東":7`, 1), good), `which has no vector`},
		"not a model":       {with(bert, "x"), "it is no file of safetensors"},
		"a long head":       {with(bert, "\xff\xff\xff\xff\xff\xff\xff\xff{}"), "it is no file of safetensors"},
		"a head of text":    {with(bert, safetensors("x", 4)), "the head is no JSON object"},
		"another tensor":    {with(bert, safetensors(`{"weights":{},"embeddings":{}}`, 4)), "other tensors"},
		"another type":      {with(bert, safetensors(headOf("I8", 7, 2, 1), 4)), `the type "I8"`},
		"cut":               {with(bert, good[:len(good)-1]), "the shape of its tensor"},
		"another shape":     {with(bert, safetensors(headOf("F32", 7, 3, 4), 4, rows...)), "the shape of its tensor"},
		"a huge shape":      {with(bert, safetensors(`{"embeddings":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`, 4)), "the shape of its tensor"},
		"no finite number":  {with(bert, safetensors(headOf("F32", 1, 1, 4), 4, float32(math.NaN()))), "not finite"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := embedAll(t, folder(t, tt.files), "a"); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// TestWordVectorsComeLater checks that files which could not be read are read once they
// exist.
func TestWordVectorsComeLater(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	e, err := embed.Open(filepath.Join(dir, "v.txt"), "")
	if err != nil {
		t.Fatal(err)
	}
	before := e.Identity()
	if _, err := e.Embed(t.Context(), []string{"a"}); err == nil {
		t.Error("there are no vectors")
	}
	if err := os.WriteFile(filepath.Join(dir, "v.txt"), []byte("a 1 2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Embed(t.Context(), []string{"a"}); err != nil || e.Identity() == before {
		t.Errorf("%v; its identity was %s and is %s", err, before, e.Identity())
	}
}

// TestFrequentWordsWeighLess checks that frequent words in a large table weigh less.
func TestFrequentWordsWeighLess(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("the 1 0\n")
	for i := range 10_000 {
		fmt.Fprintf(&b, "w%d 0 1\n", i)
	}
	got, err := embedAll(t, filepath.Join(folder(t, map[string]string{"v.txt": b.String()}), "v.txt"), "the w9999")
	if err != nil || got[0][0] > 0.1 || got[0][0] <= 0 {
		t.Errorf("%v, %v", got, err)
	}
}
