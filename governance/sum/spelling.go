package sum

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"instruction-catalog/schemas/jsonscan"
)

// jsonEscape matches an escape in a JSON string.
var jsonEscape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\(?:u[0-9A-Fa-f]{4}|.)`) })

// checkSpelling returns an error for JSON that decoders may read in different ways (with
// duplicate names or invalid UTF-8), for an escape with upper-case hexadecimal digits, and
// for a member name with an unnecessary escape.
func checkSpelling(data []byte) error {
	if err := jsonscan.Check(data); err != nil {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	if path, _ := jsonscan.Repeated(data); path != nil {
		return fmt.Errorf("%q appears twice in an object: keep one of the two", path[len(path)-1].Name)
	}
	if !jsontext.Value(data).IsValid() {
		return errors.New("it has characters that are broken: write it in UTF-8")
	}
	for _, escape := range jsonEscape().FindAll(data, -1) {
		if len(escape) > 2 && bytes.ContainsAny(escape[2:], "ABCDEF") {
			return fmt.Errorf("the escape %s is not written with lower-case digits", escape)
		}
	}
	return checkNames(data)
}

// checkNames returns an error for a member name that has a shorter spelling.
func checkNames(data []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(data))
	for {
		container, length := d.StackIndex(d.StackDepth())
		if container != '{' || length%2 != 0 || d.PeekKind() != '"' {
			if _, err := d.ReadToken(); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			continue
		}
		name, err := d.ReadValue()
		if err != nil {
			return err
		}
		shortest := bytes.Clone(name)
		if err := (*jsontext.Value)(&shortest).Format(); err != nil || !bytes.Equal(name, shortest) {
			return fmt.Errorf("the member %s is not written in the shortest way, as `catalog prove` writes it", name)
		}
	}
}
