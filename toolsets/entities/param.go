package entities

import (
	"fmt"
	"net/url"
	"strings"
)

// ParamError reports an invalid param. Problem completes the sentence "this param …".
type ParamError struct {
	Param, Problem string
}

func (e *ParamError) Error() string { return e.Param + ": " + e.Problem }

// BadParam returns a [ParamError] whose Problem is the formatted text.
func BadParam(param, format string, args ...any) error {
	return &ParamError{param, fmt.Sprintf(format, args...)}
}

// maxTexts is the maximum total size of the texts of a call in a URL, in bytes. Node.js
// backends reject requests whose request line and headers exceed 16 KiB.
const maxTexts = 14_000

// CheckTexts returns a [ParamError] for the longer of two texts if they are too long
// together.
func CheckTexts(param, text, otherParam, other string) error {
	size, otherSize := urlSize(text), urlSize(other)
	if size+otherSize <= maxTexts {
		return nil
	}
	if size < otherSize {
		param, otherParam = otherParam, param
	}
	return BadParam(param, "is too long together with %s: give fewer characters; each one beyond ASCII counts up to 12 times", otherParam)
}

// urlSize returns the size of a text in a URL, in bytes, with its wildcards escaped.
func urlSize(text string) int {
	return len(url.QueryEscape(text)) + len("%5C")*(strings.Count(text, `\`)+strings.Count(text, "%")+strings.Count(text, "_"))
}

// CheckText rejects a text that no backend can search for.
func CheckText(param, text string) error {
	if strings.ContainsRune(text, 0) {
		return BadParam(param, "must not contain the character NUL")
	}
	return nil
}
