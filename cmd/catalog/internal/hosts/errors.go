package hosts

import (
	"bytes"
	"fmt"
)

// An Error says why a configuration was not edited, and where. Nothing of it has
// been changed.
type Error struct {
	Line, Column int // from 1, the column in bytes; 0 where it is the file as a whole
	Problem      string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Problem
	}
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Problem)
}

var errTooLarge = &Error{Problem: fmt.Sprintf("the file has more than %d bytes, which is no configuration", MaxFile)}

// errorAt makes an error of a place in a text.
func errorAt(text []byte, offset int, problem string, args ...any) *Error {
	before := text[:offset]
	return &Error{
		Line:    1 + bytes.Count(before, []byte("\n")),
		Column:  offset - bytes.LastIndexByte(before, '\n'),
		Problem: fmt.Sprintf(problem, args...),
	}
}

// The same problems in both formats.
const (
	notOurs   = "the server " + ServerName + ` is not ours, as it does not run "catalog serve": rename or remove it first`
	isAtURL   = "the server " + ServerName + ` is one at a URL: rename it, or take it back first, with "catalog uninstall" and that URL behind --http`
	isStarted = "the server " + ServerName + ` is started by the host: take it back first, with "catalog uninstall" without --http`
	isTwice   = "the name %q is here a second time: remove one of the two"
)
