package strict

import (
	"cmp"

	"instruction-catalog/schemas"
)

// Schema returns the schema of a governance file, such as "gates" or "prompt-criteria".
// It panics if there is no schema with that name.
func Schema(name string) *schemas.Schema {
	s, ok := schemas.V1().File(name)
	if !ok {
		panic("strict: no schema " + name)
	}
	return s
}

// Excerpt returns at most the first 60 characters of text, for quoting in an error.
func Excerpt(text string) string {
	const most = 60
	if all := []rune(text); len(all) > most {
		return string(all[:most]) + "…"
	}
	return text
}

// Sentence formats an issue as a sentence. whole names the whole value, for issues
// without a path.
func Sentence(issue schemas.Issue, whole string) string {
	return cmp.Or(issue.Path, whole) + " " + issue.Message
}
