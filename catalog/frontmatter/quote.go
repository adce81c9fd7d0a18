package frontmatter

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
)

// plain are texts that no YAML reads as anything else, in a list either: they
// begin with a letter, and have single blanks and harmless signs within.
var plain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\pL[\pL\pM\pN_./()-]*( [\pL\pM\pN_./()-]+)*$`) })

// words have a meaning in some version of YAML.
var words = []string{"y", "yes", "n", "no", "on", "off", "true", "false", "null", "nan", "inf"}

// quote writes a text as YAML. The escapes of Go are all YAML's, too.
func quote(text string) string {
	if plain().MatchString(text) && !slices.Contains(words, strings.ToLower(text)) {
		return text
	}
	return strconv.Quote(text)
}

var onOneLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL\pM\pN\pP\pS ]*$`) })

// quoteLike writes a text with the quotation marks of a value, where they can
// hold it.
func quoteLike(value *yaml.Node, text string) string {
	switch {
	case value.Style&yaml.DoubleQuotedStyle != 0:
		return strconv.Quote(text)
	case value.Style&yaml.SingleQuotedStyle != 0 && onOneLine().MatchString(text):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return quote(text)
}

// flow writes a list on one line.
func flow(items []string) string {
	written := make([]string, len(items))
	for i, item := range items {
		written[i] = quote(item)
	}
	return "[" + strings.Join(written, ", ") + "]"
}
