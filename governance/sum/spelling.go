package sum

import (
	"bytes"
	"fmt"
	"regexp"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// jsonEscape is one escape in a string of JSON.
var jsonEscape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\\(?:u[0-9A-Fa-f]{4}|.)`) })

// checkSpelling refuses JSON that decoders read in more ways than one, with a member
// twice or broken characters, and the second way that there is to spell an escape.
func checkSpelling(data []byte) error {
	v := jsontext.Value(bytes.Clone(data))
	if err := v.Format(); err != nil {
		return fmt.Errorf("it is no JSON with one meaning: %w", err)
	}
	for _, escape := range jsonEscape().FindAll(data, -1) {
		if len(escape) > 2 && bytes.ContainsAny(escape[2:], "ABCDEF") {
			return fmt.Errorf("the escape %s is not spelt with lower-case digits", escape)
		}
	}
	return nil
}
