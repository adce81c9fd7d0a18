package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"

	"instruction-catalog/schemas"
	"instruction-catalog/schemas/jsonscan"
)

// The bounds of what a caller may send. They are checked before anything is
// decoded, which costs many times the memory of the text.
const (
	MaxDepth  = 64      // of objects and arrays within params
	MaxValues = 500_000 // of members and elements in a whole message
)

// Message is a request or notification as it came in.
type Message struct {
	ID     json.RawMessage // as the client wrote it; nil for a notification
	Method string
	Params json.RawMessage // nil where there are none
}

// Measure returns how deep the arrays and objects of a JSON text are nested, 0
// for a scalar, and how many values it holds at most, at all levels together. Of
// a text that is not well-formed it measures what comes before the fault.
func Measure(text []byte) (depth, values int) {
	s := jsonscan.New(text)
	s.Skip()
	return s.Depth(), s.Values()
}

// TooMany returns how many values a text holds if that is more than [MaxValues],
// else 0.
func TooMany(text []byte) int {
	brackets := bytes.Count(text, []byte(",")) + bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{"))
	if brackets < MaxValues {
		return 0 // nearly always, and counting takes next to nothing
	}
	if _, values := Measure(text); values > MaxValues {
		return values
	}
	return 0
}

// CheckNames refuses params in which an object has a member twice: which of them counts,
// the reader of a proxy or of a log may decide otherwise than the method. It also refuses
// what is nested too deep. It returns nil where all is well.
func CheckNames(params json.RawMessage) *Error {
	if depth, _ := Measure(params); depth > MaxDepth {
		return BadParam("", fmt.Sprintf("nested deeper than %d levels", MaxDepth))
	}
	if path, twice := schemas.Repeated(params); twice {
		return BadParam(path, "stands twice: keep one of the two")
	}
	return nil
}

// ReadMessage reads one JSON value as a request or a notification (JSON-RPC 2.0,
// section 4). Members are taken by their exact names, of which each stands once; what
// else the object holds is left out. Response reports a
// response, which nobody asked for: the server sends no requests.
//
// The failure is a [ParseError] for what is not JSON and an [InvalidRequest] for
// what is not a request. The message then has nothing but the id to answer with,
// nil where it names none that is allowed, or two.
func ReadMessage(text []byte) (m Message, response bool, failure *Error) {
	s := jsonscan.New(text)
	isObject := s.Next() == '{'
	var e envelope
	twice := ""
	for name := range s.Members() {
		value := s.Raw()
		member := e.member(string(name))
		if member == nil {
			continue
		}
		if *member != nil && twice != "id" {
			twice = string(name)
		}
		*member = value
	}
	switch {
	case !s.End():
		return Message{}, false, unreadable(text)
	case !isObject:
		return Message{}, false, noRequest("a request is an object")
	case e.method == nil && (e.result != nil || e.failure != nil):
		return Message{}, true, nil
	case twice == "id":
		return Message{}, false, noRequest("id stands twice: keep one of the two")
	case e.id != nil && !isID(e.id):
		return Message{}, false, noRequest("id is a string, a number or null")
	case twice != "":
		return Message{ID: e.id}, false, noRequest(twice + " stands twice: keep one of the two")
	}
	method, fault := e.fault()
	if fault != "" {
		return Message{ID: e.id}, false, noRequest(fault)
	}
	return Message{ID: e.id, Method: method, Params: e.params}, false, nil
}

// SplitBatch cuts a batch (JSON-RPC 2.0, section 6) into its members, of which
// it may have 1 to limit. The failure is a [ParseError] for what is not a JSON array
// and an [InvalidRequest] for one that is empty or has too many members.
func SplitBatch(text []byte, limit int) ([]json.RawMessage, *Error) {
	var batch []json.RawMessage
	s := jsonscan.New(text)
	for range s.Elements() {
		batch = append(batch, s.Raw())
	}
	switch {
	case !s.End():
		return nil, unreadable(text)
	case len(batch) == 0:
		return nil, noRequest("the batch is empty")
	case len(batch) > limit:
		return nil, noRequest(fmt.Sprintf("the batch has %d members and may have %d: send it in parts", len(batch), limit))
	}
	return batch, nil
}

// unreadable is the error for a text that is not JSON, in the words of the
// library.
func unreadable(text []byte) *Error {
	var value json.RawMessage
	message := "parse error"
	if err := json.Unmarshal(text, &value); err != nil {
		message += ": " + err.Error()
	}
	return &Error{Code: ParseError, Message: message}
}

func noRequest(why string) *Error {
	return &Error{Code: InvalidRequest, Message: "invalid request: " + why}
}

// envelope is the members of a message that mean something, as they were written;
// nil where there is none.
type envelope struct {
	version, id, method, params, result, failure json.RawMessage
}

// member returns the place of the member with this name, nil if it means nothing.
func (e *envelope) member(name string) *json.RawMessage {
	switch name {
	case "jsonrpc":
		return &e.version
	case "id":
		return &e.id
	case "method":
		return &e.method
	case "params":
		return &e.params
	case "result":
		return &e.result
	case "error":
		return &e.failure
	}
	return nil
}

// fault returns the method, and says what is wrong with a request object, "" if
// nothing is. The id has been looked at.
func (e *envelope) fault() (method, fault string) {
	if version, ok := text(e.version); !ok || version != "2.0" {
		return "", `jsonrpc must be "2.0"`
	}
	method, ok := text(e.method)
	if !ok {
		return "", "method must be a string"
	}
	if e.params != nil && e.params[0] != '{' && e.params[0] != '[' && string(e.params) != "null" {
		return "", "params must be an object"
	}
	return method, ""
}

// isID reports whether a JSON value may be an id (JSON-RPC 2.0, section 4).
func isID(value json.RawMessage) bool {
	c := value[0]
	return c == '"' || c == '-' || '0' <= c && c <= '9' || string(value) == "null"
}

// text returns what a JSON string says; not ok for anything else.
func text(value json.RawMessage) (string, bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	return string(jsonscan.New(value).Text()), true
}
