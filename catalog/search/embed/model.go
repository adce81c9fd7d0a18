package embed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"instruction-catalog/catalog/files"
)

// Maximum sizes of the files of a model, in bytes.
const (
	maxModel     = 4 << 30
	maxTokenizer = 256 << 20
)

// readModel reads a model in the model2vec format.
func readModel(model, tokenizer string) (*lexicon, error) {
	text, err := files.Read(tokenizer, maxTokenizer)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", tokenizer, files.Cause(err))
	}
	l := &lexicon{}
	if l.pieces, l.rows, err = parseTokenizer(text.Data); err != nil {
		return nil, fmt.Errorf("%s: %w", tokenizer, err)
	}
	tensors, err := files.Read(model, maxModel)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", model, files.Cause(err))
	}
	if l.numbers, l.dimensions, err = parseSafetensors(tensors.Data); err != nil {
		return nil, fmt.Errorf("%s: %w", model, err)
	}
	for word, row := range l.rows {
		if row < 0 || int(row) >= len(l.numbers)/l.dimensions {
			return nil, fmt.Errorf("%s: the piece %.40q is number %d, which has no vector", tokenizer, word, row)
		}
	}
	return l.complete(nil)
}

// tensor describes one tensor in the header of a file.
type tensor struct {
	Type    string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"` // relative to the end of the header
}

// parseSafetensors returns the numbers of the file's only tensor, "embeddings", and the
// number of columns.
func parseSafetensors(data []byte) (numbers []float32, columns int, err error) {
	if len(data) < 8 || binary.LittleEndian.Uint64(data) > uint64(len(data)-8) {
		return nil, 0, errors.New("it is no file of safetensors")
	}
	size := binary.LittleEndian.Uint64(data)
	head, body := data[8:8+size], data[8+size:]
	var tensors map[string]jsontext.Value
	if err := json.Unmarshal(head, &tensors); err != nil {
		return nil, 0, errors.New("the head is no JSON object")
	}
	delete(tensors, "__metadata__")
	var t tensor
	if len(tensors) != 1 || json.Unmarshal(tensors["embeddings"], &t) != nil {
		return nil, 0, errors.New(`it has other tensors than the one of a model without mapping and weights, "embeddings"`)
	}
	width, read := t.element()
	if read == nil {
		return nil, 0, fmt.Errorf("the type %.20q of its numbers is not known: save them as F32 or F16", t.Type)
	}
	from, to := t.Offsets[0], t.Offsets[1]
	if len(t.Shape) != 2 || t.Shape[0] < 1 || t.Shape[1] < 1 || from < 0 || from > to || to > int64(len(body)) ||
		int64(t.Shape[0]) > (to-from)/int64(width)/int64(t.Shape[1]) || int64(t.Shape[0])*int64(t.Shape[1])*int64(width) != to-from {
		return nil, 0, errors.New("the shape of its tensor does not fit its size")
	}
	numbers = make([]float32, t.Shape[0]*t.Shape[1])
	for i := range numbers {
		numbers[i] = read(body[from+int64(i*width):])
		if n := numbers[i]; n-n != 0 {
			return nil, 0, errors.New("it has numbers that are not finite")
		}
	}
	return numbers, t.Shape[1], nil
}

// element returns the size of a number in bytes and a function that decodes it, or nil
// for an unsupported type.
func (t tensor) element() (width int, read func([]byte) float32) {
	switch t.Type {
	case "F32":
		return 4, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }
	case "F16":
		return 2, func(b []byte) float32 { return half(binary.LittleEndian.Uint16(b)) }
	}
	return 0, nil
}

// half decodes an IEEE 754 binary16 number. It returns an infinity for an infinity or a
// NaN.
func half(bits uint16) float32 {
	sign, exponent, fraction := 1-2*float64(bits>>15), int(bits>>10&31), float64(bits&1023)
	switch exponent {
	case 0:
		return float32(sign * math.Ldexp(fraction, -24))
	case 31:
		return float32(math.Inf(int(sign))) // infinity, or NaN in the file: the caller rejects both
	}
	return float32(sign * math.Ldexp(1024+fraction, exponent-25))
}
