package stdio

import (
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"

	"instruction-catalog/rpc"
)

// maxBatch is how many members a batch may have. A batch is answered in one
// line, so that its answers have to be held together.
const maxBatch = 1000

// message is one line, read: its elements in order, one unless it is a batch.
type message struct {
	batch    bool
	elements []element
}

// element is one member of a line: a call, a notification, something to
// ignore, or something that is answered with an error.
type element struct {
	id     json.RawMessage // as the client wrote it; nil for a notification
	method string
	params json.RawMessage
	err    *rpc.Error // why this is no request; nil if it is one
	stray  bool       // a response, which nobody asked for
}

var null = json.RawMessage("null")

// wants reports whether the element has to be answered.
func (e *element) wants() bool { return e.id != nil && !e.stray }

// parse reads a line. Nothing is refused as a whole but what is no JSON, what
// has too many values, an empty batch and one that is too large.
func parse(line []byte) message {
	if !utf8.Valid(line) {
		return refusal(rpc.ParseError, "parse error: the line is not UTF-8")
	}
	depth, values := rpc.Measure(line)
	if values > rpc.MaxValues {
		return refusal(rpc.InvalidRequest, fmt.Sprintf(
			"invalid request: the line holds about %d values and may hold %d: send less at a time", values, rpc.MaxValues))
	}
	// A batch and the request object around params count two levels; one more
	// is left of what is too deep, for the registry to see.
	const deepest = rpc.MaxDepth + 3
	if depth > deepest {
		line = rpc.Prune(line, deepest)
	}
	if line[0] == '[' {
		return parseBatch(line)
	}
	e, err := parseElement(line)
	if err != nil {
		return refusal(rpc.ParseError, "parse error: "+err.Error())
	}
	return message{elements: []element{e}}
}

func parseBatch(line []byte) message {
	var members []json.RawMessage
	if err := json.Unmarshal(line, &members); err != nil {
		return refusal(rpc.ParseError, "parse error: "+err.Error())
	}
	switch {
	case len(members) == 0:
		return refusal(rpc.InvalidRequest, "invalid request: the batch is empty")
	case len(members) > maxBatch:
		return refusal(rpc.InvalidRequest, fmt.Sprintf(
			"invalid request: the batch has %d members and may have %d: send it in parts", len(members), maxBatch))
	}
	m := message{batch: true, elements: make([]element, len(members))}
	for i, member := range members {
		m.elements[i], _ = parseElement(member) // the syntax has been seen to be right
	}
	return m
}

// parseElement reads one JSON value as a request. It looks members up by their
// exact names, which decoding into a struct would not do. Its error is that of
// the syntax.
func parseElement(text json.RawMessage) (element, error) {
	var object map[string]json.RawMessage
	err := json.Unmarshal(text, &object)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return element{}, syntax
	}
	if err != nil || object == nil {
		return invalid(null, "a request is an object"), nil
	}
	return requestOf(object), nil
}

// requestOf reads an object as a request.
func requestOf(object map[string]json.RawMessage) element {
	method, hasMethod := object["method"]
	if !hasMethod && (object["result"] != nil || object["error"] != nil) {
		return element{stray: true}
	}
	id, hasID := object["id"]
	if hasID && !isID(id) {
		return invalid(null, "id is a string, a number or null")
	}
	if fault := fault(object); fault != "" {
		if !hasID {
			id = null
		}
		return invalid(id, fault)
	}
	e := element{id: id, params: object["params"]}
	_ = json.Unmarshal(method, &e.method) // fault has seen that it is a string
	return e
}

// fault says what is wrong with a request object, "" if nothing is.
func fault(object map[string]json.RawMessage) string {
	var version, method string
	if json.Unmarshal(object["jsonrpc"], &version) != nil || version != "2.0" {
		return `jsonrpc must be "2.0"`
	}
	if json.Unmarshal(object["method"], &method) != nil || string(object["method"]) == "null" {
		return "method must be a string"
	}
	if params := object["params"]; params != nil && params[0] != '{' && params[0] != '[' && string(params) != "null" {
		return "params must be an object"
	}
	return ""
}

// isID reports whether a JSON value may be an id (JSON-RPC 2.0, section 4).
func isID(value json.RawMessage) bool {
	c := value[0]
	return c == '"' || c == '-' || '0' <= c && c <= '9' || string(value) == "null"
}

func invalid(id json.RawMessage, why string) element {
	return element{id: id, err: &rpc.Error{Code: rpc.InvalidRequest, Message: "invalid request: " + why}}
}

// refusal is a line that is answered as a whole with an error.
func refusal(code rpc.Code, why string) message {
	return message{elements: []element{{id: null, err: &rpc.Error{Code: code, Message: why}}}}
}
