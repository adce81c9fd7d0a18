package sample

import (
	"context"
	_ "embed"
	"encoding/json"
	"math"
	"net/http"
	"strings"
	"sync/atomic"
	"unicode"

	"instruction-catalog/catalog/search/embed"
)

//go:embed synonyms.txt
var synonyms string

// Embedder is a test embedder. Words on the same line of a small synonym table have the
// same meaning to it. It also serves the OpenAI embeddings API over HTTP.
type Embedder struct {
	// Fault, if set, handles HTTP requests instead of the embedder.
	Fault atomic.Pointer[http.HandlerFunc]
	// Texts counts the texts that were embedded.
	Texts atomic.Int64

	line  map[string]int // by word
	lines int
}

// NewEmbedder returns an embedder that also treats the words on each line of table as
// synonyms. table may be "".
func NewEmbedder(table string) *Embedder {
	e := &Embedder{line: map[string]int{}}
	for line := range strings.Lines(synonyms + table) {
		for _, word := range strings.Fields(line) {
			e.line[word] = e.lines
		}
		e.lines++
	}
	return e
}

// Identity implements [embed.Embedder].
func (e *Embedder) Identity() string { return "sample" }

// Embed implements [embed.Embedder].
func (e *Embedder) Embed(_ context.Context, texts []string) ([]embed.Vector, error) {
	e.Texts.Add(int64(len(texts)))
	vectors := make([]embed.Vector, len(texts))
	for i, text := range texts {
		vectors[i] = e.vector(text)
	}
	return vectors, nil
}

func (e *Embedder) vector(text string) embed.Vector {
	v, squares := make(embed.Vector, e.lines), 0.0
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if line, ok := e.line[word]; ok {
			squares += float64(2*v[line] + 1)
			v[line]++
		}
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(max(1, squares)))
	}
	return v
}

// ServeHTTP answers POST /v1/embeddings.
func (e *Embedder) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if fault := e.Fault.Load(); fault != nil {
		(*fault)(w, r)
		return
	}
	var question struct{ Input []string }
	if r.Method != http.MethodPost || r.URL.Path != "/v1/embeddings" || json.NewDecoder(r.Body).Decode(&question) != nil {
		http.Error(w, "no question", http.StatusBadRequest)
		return
	}
	type row struct {
		Object    string       `json:"object"`
		Index     int          `json:"index"`
		Embedding embed.Vector `json:"embedding"`
	}
	answer := struct {
		Object string `json:"object"`
		Data   []row  `json:"data"`
	}{Object: "list"}
	vectors, _ := e.Embed(r.Context(), question.Input)
	for i, v := range vectors {
		answer.Data = append(answer.Data, row{"embedding", i, v})
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer)
}
