package rpc

import (
	"context"
	"strings"
)

// Coded is the data of an error to which a toolset's specification gives a code of
// its own.
type Coded struct {
	Error CodedError `json:"error"`
}

// CodedError says what failed: Message to people, Code to programs, and Details,
// where present, what it was about.
type CodedError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Details any    `json:"details,omitempty"`
}

// NewCoded returns an error of a kind with [Coded] as its data. Details may be nil.
func NewCoded(kind Kind, code, message string, details any) *Error {
	return NewError(kind, message, Coded{CodedError{code, message, details}})
}

// CodedShape is a toolset's shape of errors (see [Toolset]) for those that failed
// outside its handlers: params that break the schema have one code, and faults of
// ours have another.
func CodedShape(invalid, internal string) func(context.Context, string, *Error) *Error {
	return func(_ context.Context, _ string, e *Error) *Error {
		switch data := e.Data.(type) {
		case Coded:
			return e
		case ParamIssues:
			return NewCoded(Invalid, invalid, data.Summary(), nil)
		}
		return NewCoded(Internal, internal, "The call failed inside this server; its log has the cause.", nil)
	}
}

// Summary says in one line what is wrong, of many things the first few.
func (p ParamIssues) Summary() string {
	const most = 5
	lines := p.Lines()
	return strings.Join(lines[:min(len(lines), most)], "; ")
}
