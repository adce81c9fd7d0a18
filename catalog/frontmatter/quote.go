package frontmatter

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
)

// plain matches texts that no YAML version reads as anything else, even within a list. They
// begin with a letter and contain only letters, marks, digits, single blanks and harmless
// punctuation.
var plain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\pL[\pL\pM\pN_./()-]*( [\pL\pM\pN_./()-]+)*$`) })

// words lists the words with a special meaning in some version of YAML.
var words = []string{"y", "yes", "n", "no", "on", "off", "true", "false", "null", "nan", "inf"}

// quote returns text as a YAML scalar. YAML has all the escapes that strconv.Quote writes.
func quote(text string) string {
	if plain().MatchString(text) && !slices.Contains(words, strings.ToLower(text)) {
		return text
	}
	return strconv.Quote(text)
}

var onOneLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[\pL\pM\pN\pP\pS ]*$`) })

// quoteLike quotes text in the style of value if that style can represent it, and otherwise
// as quote does.
func quoteLike(value *yaml.Node, text string) string {
	switch {
	case value.Style&yaml.DoubleQuotedStyle != 0:
		return strconv.Quote(text)
	case value.Style&yaml.SingleQuotedStyle != 0 && onOneLine().MatchString(text):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return quote(text)
}

// flow returns a list on one line, in brackets.
func flow(items []string) string {
	written := make([]string, len(items))
	for i, item := range items {
		written[i] = quote(item)
	}
	return "[" + strings.Join(written, ", ") + "]"
}
