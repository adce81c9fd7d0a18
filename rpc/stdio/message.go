package stdio

import (
	"encoding/json"
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

// parseElement reads one JSON value as a request. Its error is that of the
// syntax.
func parseElement(text json.RawMessage) (element, error) {
	if !json.Valid(text) {
		var value json.RawMessage
		return element{}, json.Unmarshal(text, &value)
	}
	m, ok := membersOf(text)
	if !ok {
		return invalid(null, "a request is an object"), nil
	}
	return requestOf(m), nil
}

// requestOf reads an object as a request.
func requestOf(m members) element {
	if m.method == nil && (m.result != nil || m.failure != nil) {
		return element{stray: true}
	}
	if m.id != nil && !isID(m.id) {
		return invalid(null, "id is a string, a number or null")
	}
	if fault := fault(m); fault != "" {
		if m.id == nil {
			m.id = null
		}
		return invalid(m.id, fault)
	}
	return element{id: m.id, method: unquoted(m.method), params: m.params}
}

// fault says what is wrong with a request object, "" if nothing is.
func fault(m members) string {
	if m.version == nil || m.version[0] != '"' || unquoted(m.version) != "2.0" {
		return `jsonrpc must be "2.0"`
	}
	if m.method == nil || m.method[0] != '"' {
		return "method must be a string"
	}
	if m.params != nil && m.params[0] != '{' && m.params[0] != '[' && string(m.params) != "null" {
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
