package stdio

import (
	"bufio"
	"encoding/json"
	"io"
	"sync"

	"instruction-catalog/rpc"
)

// output writes answers, each as one line. It is safe for concurrent use.
//
// Pieces are copied together and written when 64 KiB are full, as much as a pipe
// of Linux holds, and at the end: one call for a small answer, and for a large one
// a copy that goes on while the client reads. To hand the pieces to the system
// uncopied (writev) is slower (decision 0004).
type output struct {
	mu     sync.Mutex
	out    *bufio.Writer
	err    error         // the first failure; nothing is written after it
	failed chan struct{} // closed with it

	notices *notices
}

func newOutput(out io.Writer) *output {
	o := &output{out: bufio.NewWriterSize(out, 64<<10), failed: make(chan struct{})}
	o.notices = &notices{out: o}
	return o
}

func (o *output) writeLine(line rpc.JSON) { o.write(nil, line, "\n") }

// write writes a line in three parts, of which the last holds its newline.
func (o *output) write(head []byte, body rpc.JSON, tail string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return
	}
	_, _ = o.out.Write(head) // bufio keeps an error for Flush, and writes no more
	_, _ = body.WriteTo(o.out)
	_, _ = o.out.WriteString(tail)
	if err := o.out.Flush(); err != nil {
		o.err = err
		close(o.failed)
	}
}

// failure returns why writing ended early, nil if it did not.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// reply takes the answers to one line and writes them: the one to a request
// at once; those to a batch as an array, when the last is there.
type reply struct {
	to      *output
	batch   *batch           // nil for a line with one element
	answers *rpc.Reservation // for all answers, until they are written
}

func newReply(to *output, m message, memory *rpc.Memory) reply {
	r := reply{to: to, answers: memory.Answers(rpc.NoTimeout)}
	if !m.batch {
		return r
	}
	b := &batch{answers: make([]rpc.JSON, len(m.elements))}
	for i := range m.elements {
		if m.elements[i].wants() {
			b.due++
		}
	}
	if b.due > 0 {
		to.notices.begin()
	}
	r.batch = b
	return r
}

// answer takes the result of element i, which has this id and must want an
// answer.
func (r reply) answer(i int, id json.RawMessage, result rpc.JSON, failure *rpc.Error) {
	if r.batch == nil {
		head, body := response(id, result, failure)
		r.to.write(head, body, "}\n")
		r.answers.Release()
		return
	}
	r.batch.take(i, id, result, failure)
	r.done()
}

// done notes that no more is due for one element.
func (r reply) done() {
	if r.batch == nil {
		r.answers.Release()
		return
	}
	if !r.batch.done() {
		return
	}
	if line := r.batch.line(); line != nil {
		r.to.writeLine(line)
	}
	r.answers.Release()
	r.to.notices.end()
}

// response is the response object to the request with this id, but for the
// brace at its end.
func response(id json.RawMessage, result rpc.JSON, failure *rpc.Error) (head []byte, body rpc.JSON) {
	member := `,"result":`
	if failure != nil {
		member = `,"error":`
		result = encodeError(failure)
	}
	head = make([]byte, 0, len(`{"jsonrpc":"2.0","id":`)+len(id)+len(member))
	head = append(head, `{"jsonrpc":"2.0","id":`...)
	return append(append(head, id...), member...), result
}

func encodeError(e *rpc.Error) rpc.JSON {
	encoded, err := rpc.Encode(e)
	if err != nil { // data that cannot be encoded is left out
		encoded, _ = rpc.Encode(&rpc.Error{Code: e.Code, Message: e.Message})
	}
	return encoded
}
