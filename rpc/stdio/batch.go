package stdio

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"instruction-catalog/rpc"
)

// batch collects the answers to a batch until all of them are complete.
type batch struct {
	mu      sync.Mutex
	answers []rpc.JSON // by element; nil for an element without an answer
	size    int        // of the answers, in bytes
	due     int        // number of elements still to be answered
}

// maxBatchAnswer is the maximum total length of the answers to one batch, in bytes.
const maxBatchAnswer = 64 << 20

var tooMuch = fmt.Sprintf("the call was carried out, but its answer would make those of this batch longer than %d MiB: "+
	"send it by itself, or request less at once, such as a page or some fields", maxBatchAnswer>>20)

// errBatchAnswer replaces an answer that exceeds maxBatchAnswer. Like [rpc.Failed] it is
// an internal error with [rpc.Failure] data, because the request was valid. Unlike that
// of rpc.Failed, its message also states the reason, because nothing failed in the
// server.
var errBatchAnswer = &rpc.Error{Code: rpc.InternalError, Message: tooMuch, Data: rpc.Failure{Message: tooMuch}}

// take stores the answer to element i. If the answers exceed maxBatchAnswer, it stores
// errBatchAnswer instead.
func (b *batch) take(i int, id json.RawMessage, result rpc.JSON, failure *rpc.Error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.size+result.Len() > maxBatchAnswer {
		result, failure = nil, errBatchAnswer
	}
	b.size += result.Len()
	head, body := response(id, result, failure)
	b.answers[i] = slices.Concat(rpc.JSON{head}, body, rpc.JSON{[]byte("}")})
}

// done records that one element needs no further answer, and reports whether it was the
// last.
func (b *batch) done() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.due--
	return b.due == 0
}

// line returns the answers as a JSON array, or nil if there are no answers.
func (b *batch) line() rpc.JSON {
	var line rpc.JSON
	for _, answer := range b.answers {
		if answer == nil {
			continue
		}
		separator := ","
		if line == nil {
			separator = "["
		}
		line = append(append(line, []byte(separator)), answer...)
	}
	if line == nil {
		return nil
	}
	return append(line, []byte("]"))
}
