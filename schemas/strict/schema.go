package strict

import (
	"cmp"

	"instruction-catalog/schemas"
)

// Schema returns the schema of one of the files that governance goes by, such as
// "gates" or "prompt-criteria". It panics if there is none of that name.
func Schema(name string) *schemas.Schema {
	s, ok := schemas.V1().File(name)
	if !ok {
		panic("strict: there is no schema " + name)
	}
	return s
}

// Excerpt is at most the first 60 characters of a text, to be quoted in an error.
func Excerpt(text string) string {
	const most = 60
	if all := []rune(text); len(all) > most {
		return string(all[:most]) + "…"
	}
	return text
}

// Sentence says what is wrong with which member of the whole.
func Sentence(issue schemas.Issue, whole string) string {
	return cmp.Or(issue.Path, whole) + " " + issue.Message
}
