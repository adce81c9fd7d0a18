package rpc

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"instruction-catalog/schemas"
)

// Code is an error code of JSON-RPC 2.0, section 5.1.
type Code int

// The codes that this server uses.
const (
	ParseError     Code = -32700 // the line is not JSON
	InvalidRequest Code = -32600 // the JSON is not a request
	MethodNotFound Code = -32601
	InvalidParams  Code = -32602
	InternalError  Code = -32603

	RequestCancelled Code = -32800 // as in the Language Server Protocol
)

// Kind says what went wrong, for the caller that has to act on it. It decides the
// code.
type Kind uint8

// The kinds.
const (
	Internal     Kind = iota // our fault, or that of something that the caller cannot mend
	Invalid                  // the params: change them and call again
	NotFound                 // what the params name does not exist, or is another user's
	Conflict                 // what the params name is in another state than the call needs
	Forbidden                // the caller may not do this
	Unavailable              // a backend failed: the same call may work later
	Unconfigured             // what the server answers from is missing or cannot be read
	Unsigned                 // what the server answers from lacks the signature that the call needs
)

// codes are the codes of the kinds. Those from -32001 on are of the range that
// JSON-RPC leaves to servers.
var codes = [...]Code{
	Internal:     InternalError,
	Invalid:      InvalidParams,
	NotFound:     -32001,
	Conflict:     -32002,
	Unavailable:  -32003,
	Forbidden:    -32004,
	Unconfigured: -32005,
	Unsigned:     -32006,
}

// NewError returns an error of a kind. Data may be nil.
func NewError(kind Kind, message string, data any) *Error {
	return &Error{Code: codes[kind], Message: message, Data: data}
}

// ErrDeadline is returned by a server that still owed answers when the time for
// ending ran out: a call took too long, or a client did not read.
var ErrDeadline = errors.New("answers were still owed when the time for ending ran out")

// Error is the error object of JSON-RPC 2.0. Message tells the caller what to
// do; Data, where present, is an object that a program can read.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// ParamIssues is the data of an [InvalidParams] error: each member that is
// wrong, by path.
type ParamIssues struct {
	Issues []schemas.Issue `json:"issues"`
}

// Lines describes each issue on a line.
func (p ParamIssues) Lines() []string {
	lines := make([]string, len(p.Issues))
	for i, issue := range p.Issues {
		lines[i] = describe(issue)
	}
	return lines
}

// BadParams is the error for params that the contract does not allow.
func BadParams(issues ...schemas.Issue) *Error {
	message := "invalid params"
	if len(issues) > 0 {
		message += ": " + describe(issues[0])
	}
	return &Error{Code: InvalidParams, Message: message, Data: ParamIssues{Issues: issues}}
}

// BadParam is [BadParams] for one member.
func BadParam(path, message string) *Error {
	return BadParams(schemas.Issue{Path: path, Message: message})
}

func describe(issue schemas.Issue) string {
	if issue.Path == "" {
		return issue.Message
	}
	return issue.Path + ": " + issue.Message
}

// Failure is the data of an [InternalError], and of an error of [FailedAs].
type Failure struct {
	Message string `json:"message"`
}

// Failed is the error for a call that was right but could not be answered.
// The message is shown to the caller: it says what to do and carries nothing
// internal.
func Failed(message string) *Error {
	return &Error{Code: InternalError, Message: "internal error", Data: Failure{Message: message}}
}

// FailedAs is [Failed] with a kind, for a cause that a program can tell by its code.
func FailedAs(kind Kind, message string) *Error {
	return NewError(kind, message, Failure{Message: message})
}

func unknownMethod(name string) *Error {
	return &Error{
		Code:    MethodNotFound,
		Message: fmt.Sprintf("method %q not found: call rpc.discover for the methods there are", Shorten(name, 80)),
	}
}

// Shorten returns a text of at most this many characters, and an ellipsis in
// place of the rest. It keeps what a client sent from coming back at full length.
func Shorten(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most]) + "…"
}

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
