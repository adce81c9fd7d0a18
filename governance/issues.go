package governance

import (
	"cmp"

	"instruction-catalog/schemas"
)

// schema returns the schema of one of the files that this package reads.
func schema(name string) *schemas.Schema {
	s, ok := schemas.V1().File(name)
	if !ok {
		panic("governance: there is no schema " + name)
	}
	return s
}

// sentence says what is wrong with which member of the whole.
func sentence(issue schemas.Issue, whole string) string {
	return cmp.Or(issue.Path, whole) + " " + issue.Message
}
