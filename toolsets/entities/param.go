package entities

import (
	"fmt"
	"strings"
	"time"
)

// CallTimeout is how long a call may take, with all its requests to the backend.
const CallTimeout = 30 * time.Second

// ParamError says what is wrong with a param, in words that complete "this param …".
type ParamError struct {
	Param, Problem string
}

func (e *ParamError) Error() string { return e.Param + ": " + e.Problem }

// BadParam returns a [ParamError]. The format is that of its Problem.
func BadParam(param, format string, args ...any) error {
	return &ParamError{param, fmt.Sprintf(format, args...)}
}

// CheckText refuses a text that no backend can look for.
func CheckText(param, text string) error {
	if strings.ContainsRune(text, 0) {
		return BadParam(param, "must not contain the character NUL")
	}
	return nil
}
