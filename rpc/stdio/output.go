package stdio

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sync"

	"instruction-catalog/rpc"
)

// output writes answers, each as one line. It is safe for concurrent use.
type output struct {
	mu     sync.Mutex
	out    *bufio.Writer
	err    error         // the first failure; nothing is written after it
	failed chan struct{} // closed with it
}

func newOutput(out io.Writer) *output {
	return &output{out: bufio.NewWriterSize(out, 64<<10), failed: make(chan struct{})}
}

func (o *output) writeLine(line rpc.JSON) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return
	}
	if _, err := line.WriteTo(o.out); err != nil {
		o.fail(err)
		return
	}
	_ = o.out.WriteByte('\n') // bufio keeps the error for Flush
	if err := o.out.Flush(); err != nil {
		o.fail(err)
	}
}

func (o *output) fail(err error) {
	o.err = err
	close(o.failed)
}

// failure returns why writing ended early, nil if it did not.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// reply gathers the answers to one line and writes them when the last is
// there: one for a request, an array for a batch, nothing where there were
// only notifications.
type reply struct {
	to    *output
	batch bool

	mu      sync.Mutex
	answers []rpc.JSON // by element; nil where none is due
	size    int        // of the answers, in bytes
	due     int
}

// maxBatchAnswer is how many bytes the answers to one batch may have together.
// They are held until the last of them is there.
const maxBatchAnswer = 64 << 20

var errBatchAnswer = rpc.Failed(fmt.Sprintf(
	"the call was carried out, but its answer would make those of this batch longer than %d MiB: send the batch in parts", maxBatchAnswer>>20))

func newReply(to *output, m message) *reply {
	r := &reply{to: to, batch: m.batch, answers: make([]rpc.JSON, len(m.elements))}
	for i := range m.elements {
		if m.elements[i].wants() {
			r.due++
		}
	}
	return r
}

// answer takes the result of element i, which has this id and must want an
// answer.
func (r *reply) answer(i int, id json.RawMessage, result rpc.JSON, failure *rpc.Error) {
	r.mu.Lock()
	if r.batch && r.size+result.Len() > maxBatchAnswer {
		result, failure = nil, errBatchAnswer
	}
	r.answers[i] = response(id, result, failure)
	r.size += result.Len()
	r.mu.Unlock()
	r.settle()
}

// settle takes note that nothing more is due for one element.
func (r *reply) settle() {
	r.mu.Lock()
	r.due--
	done := r.due == 0
	r.mu.Unlock()
	if !done {
		return
	}
	if line := r.line(); line != nil {
		r.to.writeLine(line)
	}
}

// line returns what to write, nil where all answers were waived.
func (r *reply) line() rpc.JSON {
	if !r.batch {
		return r.answers[0]
	}
	var line rpc.JSON
	for _, answer := range r.answers {
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

// response is the response object to the request with this id.
func response(id json.RawMessage, result rpc.JSON, failure *rpc.Error) rpc.JSON {
	member := `,"result":`
	if failure != nil {
		member = `,"error":`
		result = encodeError(failure)
	}
	head := make([]byte, 0, len(`{"jsonrpc":"2.0","id":`)+len(id)+len(member))
	head = append(head, `{"jsonrpc":"2.0","id":`...)
	head = append(append(head, id...), member...)
	line := make(rpc.JSON, 0, len(result)+2)
	line = append(append(line, head), result...)
	return append(line, []byte("}"))
}

func encodeError(e *rpc.Error) rpc.JSON {
	encoded, err := rpc.Encode(e)
	if err != nil { // data that cannot be encoded is left out
		encoded, _ = rpc.Encode(&rpc.Error{Code: e.Code, Message: e.Message})
	}
	return encoded
}
