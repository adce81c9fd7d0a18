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
// ignore, or something that is answered with an error. Its id and params are
// parts of the line.
type element struct {
	id      json.RawMessage // as the client wrote it; nil for a notification
	method  string
	params  json.RawMessage
	checked rpc.Checked // as in [rpc.Message]
	err     *rpc.Error  // why this is no request; nil if it is one
	stray   bool        // a response, which nobody asked for
}

var null = json.RawMessage("null")

// wants reports whether the element has to be answered.
func (e *element) wants() bool { return e.id != nil && !e.stray }

// deepest is how deep a line is read. A batch and the request object around
// params count two levels; one more is left of what is too deep, for the registry
// to see.
const deepest = rpc.MaxDepth + 3

// parse reads a line for a registry. Nothing is refused as a whole but what is no
// JSON, what has too many values, an empty batch and one that is too large.
func parse(registry *rpc.Registry, line []byte) message {
	found, ok := registry.Scan(line)
	if !ok || found.Depth > deepest || found.Values > rpc.MaxValues || !found.UTF8 && !utf8.Valid(line) {
		return parseOdd(line)
	}
	if line[0] == '[' {
		return parseBatch(line)
	}
	return message{elements: []element{elementOf(found.Message())}}
}

// parseOdd reads a line with which something is wrong, and finds out what.
func parseOdd(line []byte) message {
	if !utf8.Valid(line) {
		return refusal(rpc.ParseError, "parse error: the line is not UTF-8")
	}
	depth, values := rpc.Measure(line)
	if values > rpc.MaxValues {
		return refusal(rpc.InvalidRequest, fmt.Sprintf(
			"invalid request: the line holds about %d values and may hold %d: send less at a time", values, rpc.MaxValues))
	}
	if depth > deepest {
		line = rpc.Prune(line, deepest)
	}
	if line[0] == '[' {
		return parseBatch(line)
	}
	return message{elements: []element{elementOf(rpc.ReadMessage(line))}}
}

func parseBatch(line []byte) message {
	members, failure := rpc.SplitBatch(line, maxBatch)
	if failure != nil {
		return message{elements: []element{{id: null, err: failure}}}
	}
	m := message{batch: true, elements: make([]element, len(members))}
	for i, member := range members {
		m.elements[i] = elementOf(rpc.ReadMessage(member))
	}
	return m
}

// elementOf is what was read as a message.
func elementOf(m rpc.Message, response bool, failure *rpc.Error) element {
	if failure != nil && m.ID == nil {
		m.ID = null // it is answered all the same
	}
	return element{id: m.ID, method: m.Method, params: m.Params, checked: m.Checked, err: failure, stray: response}
}

// refusal is a line that is answered as a whole with an error.
func refusal(code rpc.Code, why string) message {
	return message{elements: []element{{id: null, err: &rpc.Error{Code: code, Message: why}}}}
}
