package strict

import (
	"errors"
	"fmt"

	"instruction-catalog/catalog/files"
	"instruction-catalog/schemas/jsonscan"
)

// maxDepth is the maximum nesting depth of values. Gates and criteria need five levels.
const maxDepth = 32

// JSON returns data without its byte order mark. It fails unless data is unambiguous
// JSON: one value, in valid UTF-8, without duplicate member names in any object (RFC
// 7493, sections 2.1 and 2.3), nested at most 32 levels deep.
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
		return nil, fmt.Errorf("line %d: %q appears twice in an object: keep one of the two", files.LineAt(data, at), path[len(path)-1].Name)
	}
	return data, nil
}
