package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"instruction-catalog/schemas"
	"instruction-catalog/schemas/jsonscan"
)

// The limits for messages. They are checked before decoding, because decoding takes many
// times the memory of the text.
const (
	MaxDepth  = 64      // nested objects and arrays in params
	MaxValues = 500_000 // members and elements in a whole message
)

// Message is a request or notification as the client sent it.
type Message struct {
	ID     json.RawMessage // as the client wrote it; nil for a notification
	Method string
	Params json.RawMessage // nil if missing
}

// Measure returns the nesting depth of the arrays and objects of a JSON text, which is 0
// for a scalar, and an upper bound on the number of values at all levels. It does not
// check that the text is valid JSON.
func Measure(text []byte) (depth, values int) {
	level := 0
	values = 1
	for _, c := range jsonscan.Structure(text) {
		switch c {
		case '{', '[':
			level++
			values++
			depth = max(depth, level)
		case '}', ']':
			level--
		case ',':
			values++
		}
	}
	return depth, values
}

// TooMany returns the number of values in a text as counted by [Measure], if it exceeds
// [MaxValues]. Otherwise it returns 0.
func TooMany(text []byte) int {
	brackets := bytes.Count(text, []byte(",")) + bytes.Count(text, []byte("[")) + bytes.Count(text, []byte("{"))
	if brackets < MaxValues {
		return 0 // the usual case; counting bytes is cheap
	}
	if _, values := Measure(text); values > MaxValues {
		return values
	}
	return 0
}

// CheckNames returns an error if an object in the params has two members of the same
// name: a proxy or a log may read one of them and the method the other. It also returns
// an error if the params are nested deeper than [MaxDepth].
func CheckNames(params json.RawMessage) *Error {
	if depth, _ := Measure(params); depth > MaxDepth {
		return BadParam("", fmt.Sprintf("nested deeper than %d levels", MaxDepth))
	}
	if path, twice := schemas.Repeated(params); twice {
		return BadParam(path, "appears twice: keep one of the two")
	}
	return nil
}

// ReadMessage reads one JSON value as a request or a notification (JSON-RPC 2.0,
// section 4). Member names are case-sensitive and must not be repeated. Unknown members
// are ignored. response reports that the value is a response; the server sends no
// requests, so the caller can ignore it.
//
// The failure is a [ParseError] if text is not JSON, and an [InvalidRequest] if it is not
// a request. The message then has only the id to answer with, which is nil if it is
// missing, invalid or repeated.
func ReadMessage(text []byte) (m Message, response bool, failure *Error) {
	var e envelope
	twice := ""
	for m, err := range jsonscan.Members(text) {
		if cut := cutDeep(text, err); cut != nil {
			return ReadMessage(cut)
		}
		if err != nil {
			return Message{}, false, unreadable(err)
		}
		member := e.member(string(m.Name))
		if member == nil {
			continue
		}
		if *member != nil && twice != "id" {
			twice = string(m.Name)
		}
		*member = m.Value
	}
	switch {
	case jsontext.Value(text).Kind() != '{':
		return Message{}, false, noRequest("a request is an object")
	case e.method == nil && (e.result != nil || e.failure != nil):
		return Message{}, true, nil
	case twice == "id":
		return Message{}, false, noRequest("id appears twice: keep one of the two")
	case e.id != nil && !isID(e.id):
		return Message{}, false, noRequest("id is a string, a number or null")
	case twice != "":
		return Message{ID: e.id}, false, noRequest(twice + " appears twice: keep one of the two")
	}
	method, fault := e.fault()
	if fault != "" {
		return Message{ID: e.id}, false, noRequest(fault)
	}
	return Message{ID: e.id, Method: method, Params: e.params}, false, nil
}

// SplitBatch splits a batch (JSON-RPC 2.0, section 6) into its members. The failure is a
// [ParseError] if text is not a JSON array, and an [InvalidRequest] if the array is empty
// or has more members than limit.
func SplitBatch(text []byte, limit int) ([]json.RawMessage, *Error) {
	var batch []json.RawMessage
	for member, err := range jsonscan.Elements(text) {
		if cut := cutDeep(text, err); cut != nil {
			return SplitBatch(cut, limit)
		}
		if err != nil {
			return nil, unreadable(err)
		}
		batch = append(batch, member)
	}
	switch {
	case len(batch) == 0:
		return nil, noRequest("the batch is empty")
	case len(batch) > limit:
		return nil, noRequest(fmt.Sprintf("the batch has %d members, and at most %d are allowed: send it in parts", len(batch), limit))
	}
	return batch, nil
}

// cutDeep returns text without the parts that exceed the parser's nesting limit, if err
// is not nil and there are such parts. Otherwise it returns nil. Without these parts, the
// request is later rejected as nested too deep and not as a parse error.
func cutDeep(text []byte, err error) (cut []byte) {
	const most = 10_000
	if err == nil {
		return nil
	}
	level, from, deepest := 0, 0, 0
	for at, c := range jsonscan.Structure(text) {
		switch c {
		case '{', '[':
			level++
			deepest = max(deepest, level)
			if level == most {
				cut, from = append(cut, text[from:at+1]...), len(text)
			}
		case '}', ']':
			if level == most {
				from = at
			}
			level--
		}
	}
	if deepest <= most {
		return nil
	}
	return append(cut, text[from:]...)
}

func unreadable(err error) *Error {
	return &Error{Code: ParseError, Message: "parse error: " + err.Error()}
}

func noRequest(why string) *Error {
	return &Error{Code: InvalidRequest, Message: "invalid request: " + why}
}

// envelope holds the members that JSON-RPC defines for a message, as the client wrote
// them. A missing member is nil.
type envelope struct {
	version, id, method, params, result, failure json.RawMessage
}

// member returns a pointer to the field for the member called name, or nil if JSON-RPC
// does not define such a member.
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

// fault checks a request object except for its id. It returns the method, and what is
// wrong with the request, or "" if nothing is wrong.
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

// text decodes a JSON string. It returns false if value is not a string.
func text(value json.RawMessage) (string, bool) {
	if len(value) == 0 || value[0] != '"' {
		return "", false
	}
	said, _ := jsonscan.Unquote(value)
	return said, true
}
