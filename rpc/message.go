package rpc

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

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
	Params json.RawMessage // nil if missing
}

// Measure returns how deep the arrays and objects of a JSON text are nested, 0
// for a scalar, and how many values it holds at most, at all levels together. It
// does not check the text.
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

// CheckNames refuses params in which an object has a member twice: a proxy or a log
// may read another one of the two than the method. It also refuses params that are
// nested too deep. It returns nil if all is well.
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
// response, although the server sends no requests.
//
// The failure is a [ParseError] for what is not JSON and an [InvalidRequest] for
// what is not a request. The message then has nothing but the id to answer with,
// nil where it names none that is allowed, or two.
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
		return nil, noRequest(fmt.Sprintf("the batch has %d members and may have %d: send it in parts", len(batch), limit))
	}
	return batch, nil
}

// cutDeep returns the text without what lies deeper than the parser goes, if err is a
// fault that the parser found and there is such, else nil. A request with that is refused
// like others that are nested too deep, not as a text that cannot be read.
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

// envelope is the members of a message that mean something, as they were written;
// nil if it is missing.
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
	said, _ := jsonscan.Unquote(value)
	return said, true
}
