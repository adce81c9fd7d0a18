package embed

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// readAnswer parses a server's answer to a request with the given number of texts. Its
// errors never include text from the server.
func readAnswer(text []byte, texts int) ([]Vector, error) {
	var answer struct {
		Data []struct {
			Index     *int           `json:"index"`
			Embedding jsontext.Value `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return nil, errors.New("the answer is no list of embeddings in JSON")
	}
	if len(answer.Data) != texts {
		return nil, fmt.Errorf("the answer has %d vectors for %d texts", len(answer.Data), texts)
	}
	vectors := make([]Vector, texts)
	for i, row := range answer.Data {
		if row.Index != nil {
			i = *row.Index
		}
		if i < 0 || i >= texts || vectors[i] != nil {
			return nil, fmt.Errorf("the answer does not number its vectors from 0 to %d", texts-1)
		}
		numbers, err := parseArray(row.Embedding, nil)
		if err != nil {
			return nil, err
		}
		if vectors[i], err = newVector(numbers); err != nil {
			return nil, err
		}
	}
	for _, v := range vectors {
		if len(v) != len(vectors[0]) {
			return nil, fmt.Errorf("the answer has vectors of %d and of %d numbers", len(vectors[0]), len(v))
		}
	}
	return vectors, nil
}

var errNumbers = errors.New("a vector is no array of numbers")

// parseArray appends the numbers in a JSON array to numbers.
func parseArray(array []byte, numbers []float64) ([]float64, error) {
	array = bytes.TrimSpace(array)
	if len(array) < 2 || array[0] != '[' || array[len(array)-1] != ']' {
		return nil, errNumbers
	}
	for field := range bytes.SplitSeq(array[1:len(array)-1], []byte{','}) {
		n, err := strconv.ParseFloat(string(bytes.TrimSpace(field)), 64)
		if err != nil {
			return nil, errNumbers
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}
