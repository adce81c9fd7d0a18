package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"instruction-catalog/rpc"
)

// question is one thing to measure: a call, and what its answer must be, so
// that nothing is measured but the right answer.
type question struct {
	name   string
	method string
	params json.RawMessage
	want   func(*answer) bool
	// brief: the answer is short, so that the machine's moods weigh more than
	// the work, and many rounds are needed.
	brief bool
	// readsFiles: the server has to look at every file, and so does the floor.
	readsFiles bool
	// varies: the answer may be a few bytes longer the next time.
	varies bool

	right map[uint64]bool // digests of answers that were found right
}

// rounds is how often the question is asked.
func (q *question) rounds(iterations int) int {
	switch {
	case q.brief:
		return 10 * iterations
	case q.readsFiles:
		return fewer(iterations)
	}
	return iterations
}

// line is the question as a request of JSON-RPC 2.0.
func (q *question) line() []byte {
	return append(encode(map[string]any{"jsonrpc": "2.0", "id": 1, "method": q.method, "params": q.params}), '\n')
}

// checkLine looks at the line that answers the question.
func (q *question) checkLine(line []byte) error { return q.check(rpc.JSON{line}, readResponse) }

// checkResult looks at the result that answers the question.
func (q *question) checkResult(result rpc.JSON) error { return q.check(result, readAnswer) }

// check looks at an answer, but not again at one that was found right: the
// largest take seconds.
func (q *question) check(answer rpc.JSON, read func(io.Reader) (*answer, error)) error {
	seen := digest(answer)
	if q.right[seen] {
		return nil
	}
	a, err := read(&reader{pieces: answer})
	if err == nil && !q.want(a) {
		err = errors.New("this is not the right answer for the generated catalog")
	}
	if err != nil {
		beginning, _ := io.ReadAll(io.LimitReader(&reader{pieces: answer}, 300))
		return fmt.Errorf("%s: %w: %s", q.name, err, beginning)
	}
	if q.right == nil {
		q.right = map[uint64]bool{}
	}
	q.right[seen] = true
	return nil
}

// encode encodes what cannot fail: strings, numbers and JSON.
func encode(v any) json.RawMessage {
	encoded, err := json.Marshal(v)
	if err != nil {
		panic("bench: " + err.Error())
	}
	return encoded
}
