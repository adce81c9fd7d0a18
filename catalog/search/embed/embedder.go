package embed

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
)

// Vector is the direction of a text's meaning. Its length is 1, or 0 if the embedder
// recognises nothing in the text.
type Vector []float32

// Embedder computes vectors. It is safe for concurrent use.
type Embedder interface {
	// Identity identifies the model. As long as it is the same, the same text gets the
	// same vector.
	Identity() string
	// Embed returns one vector per text. All have the same number of dimensions, at
	// least 1. A call that failed may succeed later.
	Embed(ctx context.Context, texts []string) ([]Vector, error)
}

// Open returns the embedder for source. Source is either the base URL of a server, such
// as http://localhost:11434/v1#model, or the path of word vectors: a model2vec folder, a
// GloVe text file or a JSON file. key is sent to a server as the bearer token, unless it
// is "".
func Open(source, key string) (Embedder, error) {
	if strings.Contains(source, "://") {
		return newServer(source, key)
	}
	path, err := filepath.Abs(source)
	if err != nil {
		return nil, err
	}
	return &words{path: path}, nil
}

// newVector scales numbers to length 1. It fails if numbers is empty or one is not finite.
func newVector(numbers []float64) (Vector, error) {
	length := 0.0
	for _, n := range numbers {
		length = math.Hypot(length, n)
	}
	if len(numbers) == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		return nil, errors.New("a vector has no numbers, or some that are not finite")
	}
	v := make(Vector, len(numbers))
	if length > 0 {
		for i, n := range numbers {
			v[i] = float32(n / length)
		}
	}
	return v, nil
}
