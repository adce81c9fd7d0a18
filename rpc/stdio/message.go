package stdio

import (
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"instruction-catalog/rpc"
)

// maxBatch is the maximum number of members of a batch. All answers to a batch are held in
// memory because they are written as one line.
const maxBatch = 1000

// message is a parsed line: its elements in order. It has one element unless it is a batch.
type message struct {
	batch    bool
	elements []element
}

// element is one message of a line: a call, a notification, a response to ignore, or an
// invalid message that is answered with an error. Its id and params alias the line.
type element struct {
	rpc.Message
	err   *rpc.Error // why this is not a valid request; nil if it is valid
	stray bool       // a response, which is ignored because the server sends no requests
}

var null = json.RawMessage("null")

// wants reports whether the element must be answered.
func (e *element) wants() bool { return e.ID != nil && !e.stray }

// parse parses a line. It rejects a whole line if it is not UTF-8 or not JSON, has too many
// values, or is a batch that is empty or too large. Other errors apply to single elements.
func parse(line []byte) message {
	if !utf8.Valid(line) {
		return refusal(rpc.ParseError, "parse error: the line is not UTF-8")
	}
	if values := rpc.TooMany(line); values > 0 {
		return refusal(rpc.InvalidRequest, fmt.Sprintf(
			"invalid request: the line has about %d values, and at most %d are allowed: send less at a time", values, rpc.MaxValues))
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

// elementOf returns the element for the results of [rpc.ReadMessage].
func elementOf(m rpc.Message, response bool, failure *rpc.Error) element {
	if failure != nil && m.ID == nil {
		m.ID = null // an invalid message is answered even without an id
	}
	return element{Message: m, err: failure, stray: response}
}

// refusal returns the message for a line that is answered as a whole with an error.
func refusal(code rpc.Code, why string) message {
	return message{elements: []element{{Message: rpc.Message{ID: null}, err: &rpc.Error{Code: code, Message: why}}}}
}
