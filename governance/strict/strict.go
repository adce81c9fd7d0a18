package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/search/fold"
)

// maxDepth is how deep values may nest; gates and criteria need five levels.
const maxDepth = 32

// JSON returns data without a byte order mark if it is JSON that leaves
// no room for two readings: one value, in valid UTF-8, in which no object has
// a member twice (RFC 7493, sections 2.1 and 2.3). Members that differ only in
// case are refused too, because encoding/json takes them for the same.
func JSON(data []byte) ([]byte, error) {
	data = files.TrimByteOrderMark(data)
	if i := files.InvalidUTF8(data); i >= 0 {
		return nil, fmt.Errorf("line %d: the text is not valid UTF-8: save the file as UTF-8", files.LineAt(data, i))
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, syntaxError(data, err)
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	if err := checkValue(dec, 0); err != nil {
		return nil, fmt.Errorf("line %d: %w", files.LineAt(data, int(dec.InputOffset())), err)
	}
	return data, nil
}

func syntaxError(data []byte, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("line %d: this is not JSON: %w", files.LineAt(data, int(syntax.Offset)), err)
	}
	return fmt.Errorf("this is not JSON: %w", err)
}

// checkValue reads one value, whose syntax is known to be right, and judges
// the objects in it. The depth is the number of values around it.
func checkValue(dec *json.Decoder, depth int) error {
	token, err := dec.Token()
	opening, nested := token.(json.Delim)
	switch {
	case err != nil:
		return err
	case !nested:
		return nil
	case depth == maxDepth:
		return fmt.Errorf("values are nested deeper than %d levels", maxDepth)
	case opening == '{':
		return checkObject(dec, depth+1)
	}
	return checkArray(dec, depth+1)
}

func checkObject(dec *json.Decoder, depth int) error {
	names := map[string]string{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return err
		}
		name := token.(string) // the names of members are strings
		if err := checkName(names, name); err != nil {
			return err
		}
		if err := checkValue(dec, depth); err != nil {
			return err
		}
	}
	_, err := dec.Token() // the closing brace
	return err
}

func checkArray(dec *json.Decoder, depth int) error {
	for dec.More() {
		if err := checkValue(dec, depth); err != nil {
			return err
		}
	}
	_, err := dec.Token() // the closing bracket
	return err
}

// checkName adds a name to those of its object, which are kept by their folded
// form.
func checkName(names map[string]string, name string) error {
	folded := fold.String(name)
	earlier, taken := names[folded]
	names[folded] = name
	switch {
	case !taken:
		return nil
	case earlier == name:
		return fmt.Errorf("an object has the member %q twice: keep one", name)
	}
	return fmt.Errorf("an object has members %q and %q, which differ only in case: keep one", earlier, name)
}
