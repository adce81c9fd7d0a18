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
	rpc.Message
	err   *rpc.Error // why this is not a request; nil if it is one
	stray bool       // a response, although the server sends no requests
}

var null = json.RawMessage("null")

// wants reports whether the element has to be answered.
func (e *element) wants() bool { return e.ID != nil && !e.stray }

// parse reads a line. Nothing is refused as a whole but what is not JSON in UTF-8,
// what has too many values, an empty batch and one that is too large.
func parse(line []byte) message {
	if !utf8.Valid(line) {
		return refusal(rpc.ParseError, "parse error: the line is not UTF-8")
	}
	if values := rpc.TooMany(line); values > 0 {
		return refusal(rpc.InvalidRequest, fmt.Sprintf(
			"invalid request: the line holds about %d values and may hold %d: send less at a time", values, rpc.MaxValues))
	}
	if line[0] == '[' {
		return parseBatch(line)
	}
	return message{elements: []element{elementOf(rpc.ReadMessage(line))}}
}

func parseBatch(line []byte) message {
	members, failure := rpc.SplitBatch(line, maxBatch)
	if failure != nil {
		return message{elements: []element{{Message: rpc.Message{ID: null}, err: failure}}}
	}
	m := message{batch: true, elements: make([]element, len(members))}
	for i, member := range members {
		m.elements[i] = elementOf(rpc.ReadMessage(member))
	}
	return m
}

// elementOf returns the element of a message.
func elementOf(m rpc.Message, response bool, failure *rpc.Error) element {
	if failure != nil && m.ID == nil {
		m.ID = null // it is answered all the same
	}
	return element{Message: m, err: failure, stray: response}
}

// refusal is a line that is answered as a whole with an error.
func refusal(code rpc.Code, why string) message {
	return message{elements: []element{{Message: rpc.Message{ID: null}, err: &rpc.Error{Code: code, Message: why}}}}
}
