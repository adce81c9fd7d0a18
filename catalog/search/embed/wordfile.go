package embed

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// maxLine is the maximum length of a line of word vectors, in bytes.
const maxLine = 1 << 20

// parseGloVe reads lines that each hold a word and its numbers. It skips the header line
// with two counts that Word2vec writes. A word may contain spaces.
func parseGloVe(r io.Reader) (*lexicon, error) {
	l := newLexicon()
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxLine)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Split(strings.TrimSpace(lines.Text()), " ")
		if len(fields) < 2 || n == 1 && len(fields) == 2 {
			continue // blank line or header
		}
		first := 1 // index of the first number
		if l.dimensions > 0 {
			first = max(1, len(fields)-l.dimensions)
		}
		numbers, err := parseNumbers(fields[first:])
		if err == nil {
			err = l.add(strings.Join(fields[:first], " "), numbers)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	return l.complete(lines.Err())
}

func parseNumbers(fields []string) ([]float64, error) {
	numbers := make([]float64, len(fields))
	for i, field := range fields {
		n, err := strconv.ParseFloat(field, 32)
		if err != nil || n-n != 0 {
			return nil, fmt.Errorf("%.40q is no finite number: a line is a word and its numbers", field)
		}
		numbers[i] = n
	}
	return numbers, nil
}

// parseJSON reads a JSON object that maps words to arrays of numbers. Such an object may
// also be the member "vectors" of the outer object. A preceding member "dimensions", a
// number, truncates each array to that length.
func parseJSON(r io.Reader) (*lexicon, error) {
	l := newLexicon()
	d := jsontext.NewDecoder(r, jsontext.AllowDuplicateNames(true))
	if d.PeekKind() != '{' {
		return nil, errors.New("it is no JSON object of words")
	}
	return l.complete(l.readObject(d, 0))
}

// readObject reads the words in an object. It skips members that are not words.
func (l *lexicon) readObject(d *jsontext.Decoder, dimensions int) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() != '}' {
		token, err := d.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		switch kind := d.PeekKind(); {
		case kind == '{' && name == "vectors":
			err = l.readObject(d, dimensions)
		case kind == '[':
			err = l.readWord(d, name, dimensions)
		case kind == '0' && name == "dimensions":
			dimensions, err = readInt(d)
		default:
			err = d.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

func readInt(d *jsontext.Decoder) (int, error) {
	text, err := d.ReadValue()
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(string(text))
}

func (l *lexicon) readWord(d *jsontext.Decoder, word string, dimensions int) error {
	array, err := d.ReadValue()
	if err != nil {
		return err
	}
	numbers, err := parseArray(array, nil)
	if err != nil {
		return nil // not a vector, such as a list of words
	}
	if dimensions > 0 && dimensions < len(numbers) {
		numbers = numbers[:dimensions]
	}
	return l.add(word, numbers)
}
