package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// ReadMessage reads one JSON value as a request or a notification (JSON-RPC 2.0,
// section 4). Members are taken by their exact names, the last of two that have
// the same one; what else the object holds is left out. Response reports a
// response, which nobody asked for: the server sends no requests.
//
// The failure is a [ParseError] for what is no JSON and an [InvalidRequest] for
// what is no request. The message then has nothing but the id to answer with,
// nil where it names none that is allowed.
func ReadMessage(text []byte) (m Message, response bool, failure *Error) {
	s, ok := Scan(text)
	if !ok {
		var value json.RawMessage
		return Message{}, false, unreadable(json.Unmarshal(text, &value))
	}
	return s.Message()
}

// Message is [ReadMessage] for a text that has been scanned.
func (s *Scanned) Message() (m Message, response bool, failure *Error) {
	e := &s.members
	switch {
	case !s.object:
		return Message{}, false, noRequest("a request is an object")
	case e.method == nil && (e.result != nil || e.failure != nil):
		return Message{}, true, nil
	case e.id != nil && !isID(e.id):
		return Message{}, false, noRequest("id is a string, a number or null")
	}
	if fault := e.fault(); fault != "" {
		return Message{ID: e.id}, false, noRequest(fault)
	}
	return Message{ID: e.id, Method: unquoted(e.method), Params: e.params, Checked: e.checked}, false, nil
}

// SplitBatch cuts a batch (JSON-RPC 2.0, section 6) into its members, of which
// it may have 1 to most. The failure is a [ParseError] for what is no JSON array
// and an [InvalidRequest] for one that is empty or has too many members.
func SplitBatch(text []byte, most int) ([]json.RawMessage, *Error) {
	var batch []json.RawMessage
	if err := json.Unmarshal(text, &batch); err != nil {
		return nil, unreadable(err)
	}
	switch {
	case len(batch) == 0:
		return nil, noRequest("the batch is empty")
	case len(batch) > most:
		return nil, noRequest(fmt.Sprintf("the batch has %d members and may have %d: send it in parts", len(batch), most))
	}
	return batch, nil
}

func unreadable(syntax error) *Error {
	return &Error{Code: ParseError, Message: "parse error: " + syntax.Error()}
}

func noRequest(why string) *Error {
	return &Error{Code: InvalidRequest, Message: "invalid request: " + why}
}

// envelope is the members of a message that mean something, as they were written;
// nil where there is none.
type envelope struct {
	version, id, method, params, result, failure json.RawMessage

	checked Checked // as in [Message]
}

// fault says what is wrong with a request object, "" if nothing is. The id has
// been looked at.
func (e *envelope) fault() string {
	if string(e.version) != `"2.0"` && (e.version == nil || e.version[0] != '"' || unquoted(e.version) != "2.0") {
		return `jsonrpc must be "2.0"`
	}
	if e.method == nil || e.method[0] != '"' {
		return "method must be a string"
	}
	if e.params != nil && e.params[0] != '{' && e.params[0] != '[' && string(e.params) != "null" {
		return "params must be an object"
	}
	return ""
}

// isID reports whether a JSON value may be an id (JSON-RPC 2.0, section 4).
func isID(value json.RawMessage) bool {
	c := value[0]
	return c == '"' || c == '-' || '0' <= c && c <= '9' || string(value) == "null"
}

// set takes the member with this name, both as they were written, if it means
// something.
func (e *envelope) set(name, value json.RawMessage) {
	if bytes.IndexByte(name, '\\') >= 0 {
		name = json.RawMessage(`"` + unquoted(name) + `"`)
	}
	switch string(name) {
	case `"jsonrpc"`:
		e.version = value
	case `"id"`:
		e.id = value
	case `"method"`:
		e.method, e.checked = value, Checked{}
	case `"params"`:
		e.params, e.checked = value, Checked{}
	case `"result"`:
		e.result = value
	case `"error"`:
		e.failure = value
	}
}

// unquoted returns the text of a JSON string.
func unquoted(literal []byte) string {
	if bytes.IndexByte(literal, '\\') < 0 {
		return string(literal[1 : len(literal)-1])
	}
	var s string
	_ = json.Unmarshal(literal, &s) // it is a valid string
	return s
}
