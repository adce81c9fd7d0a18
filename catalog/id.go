package catalog

import "regexp"

// ID names an entry within its catalog: 1 to 120 lower-case letters, digits,
// '-' and '_', beginning and ending with a letter or a digit.
type ID string

var idPattern = regexp.MustCompile(`^[a-z0-9](?:[a-z0-9_-]{0,118}[a-z0-9])?$`)

// Valid reports whether the id has the form that the type promises.
func (id ID) Valid() bool { return idPattern.MatchString(string(id)) }
