package catalog

// ID identifies an entry within its catalog. It has 1 to 120 lower-case ASCII letters,
// digits, '-' and '_', and begins and ends with a letter or a digit.
type ID string

const maxID = 120

// Valid reports whether id has the form that [ID] describes.
func (id ID) Valid() bool {
	if len(id) == 0 || len(id) > maxID {
		return false
	}
	for i := range len(id) {
		c := id[i]
		alphanumeric := 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
		inside := 0 < i && i < len(id)-1
		if !alphanumeric && !(inside && (c == '-' || c == '_')) {
			return false
		}
	}
	return true
}
