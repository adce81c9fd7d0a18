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
// Pieces are copied to a buffer of 64 KiB, the capacity of a pipe in Linux. The buffer is
// written when it is full and at the end of the line. So a small answer takes one system
// call, and a large one is copied while the client reads. Writing the pieces without a
// copy (writev) is slower (decision 0004).
type output struct {
	mu     sync.Mutex
	out    *bufio.Writer
	err    error         // the first write error; nothing is written after it
	failed chan struct{} // closed when err is set

	notices *notices
}

func newOutput(out io.Writer) *output {
	o := &output{out: bufio.NewWriterSize(out, 64<<10), failed: make(chan struct{})}
	o.notices = &notices{out: o}
	return o
}

func (o *output) writeLine(line rpc.JSON) { o.write(nil, line, "\n") }

// write writes a line in three parts. The caller includes the newline in tail.
func (o *output) write(head []byte, body rpc.JSON, tail string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return
	}
	_, _ = o.out.Write(head) // bufio returns the first error from Flush, and writes nothing after it
	_, _ = body.WriteTo(o.out)
	_, _ = o.out.WriteString(tail)
	if err := o.out.Flush(); err != nil {
		o.err = err
		close(o.failed)
	}
}

// failure returns the first write error, or nil.
func (o *output) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// reply writes the answers to one line: the answer to a single request at once, those to a
// batch as an array when all are complete.
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

// answer writes or stores the answer to element i, which must have the given id and need an
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

// done records that one element needs no further answer. After the last element of a
// batch, it writes the answers.
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

// response returns the response object for the request with this id, without the closing
// brace.
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
	if err != nil { // the data cannot be encoded: omit it
		encoded, _ = rpc.Encode(&rpc.Error{Code: e.Code, Message: e.Message})
	}
	return encoded
}
