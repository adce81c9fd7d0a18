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

	RequestCancelled Code = -32800 // the code of the Language Server Protocol
)

// Kind is the category of an error, by what the caller can do about it. It determines
// the code.
type Kind uint8

// The kinds.
const (
	Internal     Kind = iota // a fault of the server, or one that the caller cannot fix
	Invalid                  // the params are wrong: change them and call again
	NotFound                 // the object named by the params does not exist, or belongs to another user
	Conflict                 // the object named by the params is not in the state that the call needs
	Forbidden                // the caller may not do this
	Unavailable              // a backend failed: the same call may work later
	Unconfigured             // the server's data is missing or cannot be read
	Unsigned                 // the server's data lacks the signature that the call needs
)

// codes maps each kind to its code. The codes -32001 to -32006 are in the range that
// JSON-RPC reserves for servers.
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

// NewError returns an error of the given kind. data may be nil.
func NewError(kind Kind, message string, data any) *Error {
	return &Error{Code: codes[kind], Message: message, Data: data}
}

// ErrDeadline is returned by a server that had unanswered calls when its grace period
// for shutting down ended: a call took too long, or a client did not read its answers.
var ErrDeadline = errors.New("the shutdown timeout expired before all requests were answered")

// Error is the error object of JSON-RPC 2.0. Message tells the caller what to do. Data,
// if present, is an object for programs.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (e *Error) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// ParamIssues is the data of an [InvalidParams] error: the path of each invalid member,
// and what is wrong with it.
type ParamIssues struct {
	Issues []schemas.Issue `json:"issues"`
}

// Lines returns one line per issue.
func (p ParamIssues) Lines() []string {
	lines := make([]string, len(p.Issues))
	for i, issue := range p.Issues {
		lines[i] = describe(issue)
	}
	return lines
}

// BadParams returns the error for params that the contract does not allow.
func BadParams(issues ...schemas.Issue) *Error {
	message := "invalid params"
	if len(issues) > 0 {
		message += ": " + describe(issues[0])
	}
	return &Error{Code: InvalidParams, Message: message, Data: ParamIssues{Issues: issues}}
}

// BadParam returns the [BadParams] error for a single issue.
func BadParam(path, message string) *Error {
	return BadParams(schemas.Issue{Path: path, Message: message})
}

func describe(issue schemas.Issue) string {
	if issue.Path == "" {
		return issue.Message
	}
	return issue.Path + ": " + issue.Message
}

// Failure is the data of an [InternalError], and of an error returned by [FailedAs].
type Failure struct {
	Message string `json:"message"`
}

// Failed returns the error for a valid call that could not be answered. The message is
// shown to the caller: it must say what to do and must not reveal internals.
func Failed(message string) *Error {
	return &Error{Code: InternalError, Message: "internal error", Data: Failure{Message: message}}
}

// FailedAs returns an error like that of [Failed], with the given kind, so that programs
// can recognise the cause by its code.
func FailedAs(kind Kind, message string) *Error {
	return NewError(kind, message, Failure{Message: message})
}

func unknownMethod(name string) *Error {
	return &Error{
		Code:    MethodNotFound,
		Message: fmt.Sprintf("method %q not found: rpc.discover lists all methods", Shorten(name, 80)),
	}
}

// Shorten cuts s after the given number of code points and appends an ellipsis if it
// removed anything. Errors use it so as not to repeat a client's input at full length.
func Shorten(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most]) + "…"
}

// Coded is the data of an error that has a code defined by the toolset's specification.
type Coded struct {
	Error CodedError `json:"error"`
}

// CodedError describes a failure: Message for people, Code for programs. Details, if
// present, describes the object that the failure concerns.
type CodedError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
	Details any    `json:"details,omitempty"`
}

// NewCoded returns an error of the given kind with [Coded] as its data. details may be
// nil.
func NewCoded(kind Kind, code, message string, details any) *Error {
	return NewError(kind, message, Coded{CodedError{code, message, details}})
}

// CodedShape returns a function for [Toolset.Errors] that gives every error [Coded] data.
// Errors that have it already, from the toolset's handlers, are unchanged. Params that
// break the schema get the code invalid; all other errors get the code internal.
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

// Summary returns the first five issues on one line.
func (p ParamIssues) Summary() string {
	const most = 5
	lines := p.Lines()
	return strings.Join(lines[:min(len(lines), most)], "; ")
}
