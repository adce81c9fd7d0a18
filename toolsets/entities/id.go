package entities

import (
	"errors"
	"strings"
)

// ID is a UUID in lower case.
type ID string

// ParseID parses a UUID from a param: RFC 4122, versions 1 to 5, in upper or lower case.
// It returns a [ParamError] if the text is invalid.
func ParseID(param, text string) (ID, error) {
	id := strings.ToLower(text)
	if !isUUID(id) || !ID(id).Askable() {
		return "", BadParam(param, "must be a UUID of version 1 to 5, such as 00000000-0000-4000-a000-000000000001")
	}
	return ID(id), nil
}

// Askable reports whether backends accept this id in a request. They accept only
// versions 1 to 5, although their rows may contain others.
func (id ID) Askable() bool {
	return '1' <= id[14] && id[14] <= '5' && strings.ContainsRune("89ab", rune(id[19]))
}

// UnmarshalText parses a UUID in a row. It accepts any version, because the backend
// chooses the ids.
func (id *ID) UnmarshalText(text []byte) error {
	lower := strings.ToLower(string(text))
	if !isUUID(lower) {
		return errors.New("is not a UUID")
	}
	*id = ID(lower)
	return nil
}

// isUUID reports whether s has the form of a UUID in lower case.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (s[i] == '-') || !dash && !isHex(s[i]) {
			return false
		}
	}
	return true
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }
