package strict

import (
	"errors"
	"fmt"

	"instruction-catalog/catalog/files"
	"instruction-catalog/schemas/jsonscan"
)

// maxDepth is how deep values may nest; gates and criteria need five levels.
const maxDepth = 32

// JSON returns data without a byte order mark if it is JSON that leaves
// no room for two readings: one value, in valid UTF-8, in which no object has
// a member twice (RFC 7493, sections 2.1 and 2.3).
func JSON(data []byte) ([]byte, error) {
	data = files.TrimByteOrderMark(data)
	if i := files.InvalidUTF8(data); i >= 0 {
		return nil, fmt.Errorf("line %d: the text is not valid UTF-8: save the file as UTF-8", files.LineAt(data, i))
	}
	if fault, bad := errors.AsType[*jsonscan.Error](jsonscan.Check(data)); bad {
		return nil, fmt.Errorf("line %d: this is not JSON: column %d: %s", fault.Line, fault.Column, fault.Problem)
	}
	depth := 0
	for at, c := range jsonscan.Structure(data) {
		switch c {
		case '{', '[':
			if depth++; depth > maxDepth {
				return nil, fmt.Errorf("line %d: values are nested deeper than %d levels", files.LineAt(data, at), maxDepth)
			}
		case '}', ']':
			depth--
		}
	}
	if path, at := jsonscan.Repeated(data); path != nil {
		return nil, fmt.Errorf("line %d: %q stands twice in an object: keep one of the two", files.LineAt(data, at), path[len(path)-1].Name)
	}
	return data, nil
}
