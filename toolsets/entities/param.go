package entities

import (
	"fmt"
	"net/url"
	"strings"
)

// ParamError says what is wrong with a param, in words that complete "this param …".
type ParamError struct {
	Param, Problem string
}

func (e *ParamError) Error() string { return e.Param + ": " + e.Problem }

// BadParam returns a [ParamError]. The format is that of its Problem.
func BadParam(param, format string, args ...any) error {
	return &ParamError{param, fmt.Sprintf(format, args...)}
}

// maxTexts is how many bytes the texts of a call may have in a URL, in all: a
// backend of Node.js refuses requests whose line and headers have more than 16 KiB.
const maxTexts = 14_000

// CheckTexts refuses two texts that are too long together. Its error is for the
// longer one.
func CheckTexts(param, text, otherParam, other string) error {
	size, otherSize := urlSize(text), urlSize(other)
	if size+otherSize <= maxTexts {
		return nil
	}
	if size < otherSize {
		param, otherParam = otherParam, param
	}
	return BadParam(param, "is too long together with %s: give fewer characters, of which those beyond ASCII count up to 12 times", otherParam)
}

// urlSize is how many bytes a text has in a URL, with its wildcards escaped.
func urlSize(text string) int {
	return len(url.QueryEscape(text)) + len("%5C")*(strings.Count(text, `\`)+strings.Count(text, "%")+strings.Count(text, "_"))
}

// CheckText refuses a text that no backend can look for.
func CheckText(param, text string) error {
	if strings.ContainsRune(text, 0) {
		return BadParam(param, "must not contain the character NUL")
	}
	return nil
}
