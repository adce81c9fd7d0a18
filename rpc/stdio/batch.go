package stdio

import (
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"instruction-catalog/rpc"
)

// batch holds the answers to a batch until the last of them is there.
type batch struct {
	mu      sync.Mutex
	answers []rpc.JSON // by element; nil where none is due
	size    int        // of the answers, in bytes
	due     int
}

// maxBatchAnswer is how many bytes the answers to one batch may have together.
const maxBatchAnswer = 64 << 20

var tooMuch = fmt.Sprintf("the call was carried out, but its answer would make those of this batch longer than %d MiB: "+
	"send it by itself, or ask for less at once, such as a page or some fields", maxBatchAnswer>>20)

// errBatchAnswer is as [rpc.Failed], for the request was right, but that nothing
// failed inside: its message says so, too.
var errBatchAnswer = &rpc.Error{Code: rpc.InternalError, Message: tooMuch, Data: rpc.Failure{Message: tooMuch}}

// take keeps the answer to element i, or an error in place of one too many.
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

// done takes note that nothing more is due for one element, and reports
// whether that was the last.
func (b *batch) done() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.due--
	return b.due == 0
}

// line returns the answers as an array, nil where all were waived.
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
