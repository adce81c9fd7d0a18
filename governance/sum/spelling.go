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

// jsonEscape is one escape in a string of JSON.
var jsonEscape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\(?:u[0-9A-Fa-f]{4}|.)`) })

// checkSpelling refuses JSON that decoders read in more ways than one, with a member
// twice or broken characters, a second way to spell an escape, and a member's name with
// an escape that it does not need.
func checkSpelling(data []byte) error {
	if err := jsonscan.Check(data); err != nil {
		return fmt.Errorf("it is no JSON: %w", err)
	}
	if path, _ := jsonscan.Repeated(data); path != nil {
		return fmt.Errorf("%q stands twice in an object: keep one of the two", path[len(path)-1].Name)
	}
	if !jsontext.Value(data).IsValid() {
		return errors.New("it has characters that are broken: write it in UTF-8")
	}
	for _, escape := range jsonEscape().FindAll(data, -1) {
		if len(escape) > 2 && bytes.ContainsAny(escape[2:], "ABCDEF") {
			return fmt.Errorf("the escape %s is not spelt with lower-case digits", escape)
		}
	}
	return checkNames(data)
}

// checkNames refuses a name of a member that could be spelt shorter.
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
			return fmt.Errorf("the member %s is not spelt in the shortest way, as `catalog prove` does", name)
		}
	}
}
