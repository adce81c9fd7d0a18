package httpapi

import (
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// decode parses an answer as a T. All members must be present. Only pointers may be
// null.
func decode[T any](body io.Reader) (answer T, err error) {
	text, err := io.ReadAll(body)
	if err != nil {
		return answer, err
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return answer, err
	}
	return answer, complete(text, reflect.TypeFor[T]())
}

var scalar = reflect.TypeFor[encoding.TextUnmarshaler]()

// complete returns an error for the members of t that a JSON value lacks, at any depth.
func complete(value jsontext.Value, t reflect.Type) error {
	switch isNull := value.Kind() == 'n'; {
	case t.Kind() == reflect.Pointer:
		if isNull {
			return nil
		}
		return complete(value, t.Elem())
	case isNull:
		return errors.New("the answer has null where it must not")
	case reflect.PointerTo(t).Implements(scalar):
	case t.Kind() == reflect.Slice:
		var elements []jsontext.Value
		if err := json.Unmarshal(value, &elements); err != nil {
			return err
		}
		for _, element := range elements {
			if err := complete(element, t.Elem()); err != nil {
				return err
			}
		}
	case t.Kind() == reflect.Struct:
		var members map[string]jsontext.Value
		if err := json.Unmarshal(value, &members); err != nil {
			return err
		}
		return completeMembers(members, t)
	}
	return nil
}

func completeMembers(members map[string]jsontext.Value, t reflect.Type) error {
	var missing []string
	for _, field := range reflect.VisibleFields(t) {
		if field.Anonymous {
			continue // its fields are visible too
		}
		name := field.Tag.Get("json")
		member, ok := members[name]
		if !ok {
			missing = append(missing, "no "+name)
		} else if err := complete(member, field.Type); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if missing != nil {
		return errors.New("the answer has " + strings.Join(missing, ", "))
	}
	return nil
}
