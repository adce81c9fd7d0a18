package stdio

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/rpctest"
)

func requestLine(id int, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
}

// TestEndOfInput sends 500 requests at once and ends: each is answered, in order.
func TestEndOfInput(t *testing.T) {
	t.Parallel()
	var input, want strings.Builder
	for i := range 500 {
		input.WriteString(requestLine(i, "test/echo", `{"text":"x"}`))
		fmt.Fprintf(&want, `{"jsonrpc":"2.0","id":%d,"result":{"text":"x"}}`+"\n", i)
	}
	if got := newToy(t).serve(t, input.String()); got != want.String() {
		t.Errorf("answers are missing or out of order:\n%s", got)
	}
}

// TestOrderedCalls sends calls that are answered beside everything else, but in
// order among themselves.
func TestOrderedCalls(t *testing.T) {
	t.Parallel()
	var input, want strings.Builder
	for i := range 50 {
		input.WriteString(requestLine(i, "test/turn", fmt.Sprintf(`{"n":%d}`, i)))
		fmt.Fprintf(&want, `{"jsonrpc":"2.0","id":%d,"result":{"n":%d}}`+"\n", i, i)
	}
	if got := newToy(t).serve(t, input.String()); got != want.String() {
		t.Errorf("answers are missing or out of order:\n%s", got)
	}
}

// TestLineTooLong sends a line of 64 MiB: it is refused without being held.
func TestLineTooLong(t *testing.T) {
	y := newToy(t)
	long := io.LimitReader(iotest.DataErrReader(repeat("x")), 64<<20)
	input := io.MultiReader(strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`), long,
		strings.NewReader("\"}\n"+requestLine(2, "test/echo", `{"text":"next"}`)))
	var out strings.Builder
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := y.server().Serve(t.Context(), input, &out); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	want := `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: the line is longer than 16777216 bytes and was discarded: send less at a time"}}
{"jsonrpc":"2.0","id":2,"result":{"text":"next"}}
`
	if out.String() != want {
		t.Errorf("got %s", out.String())
	}
	if grown := after.HeapSys - before.HeapSys; int64(grown) > 100<<20 {
		t.Errorf("the heap grew by %d MiB for a line that is discarded", grown>>20)
	}
}

type repeat string

func (r repeat) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r[0]
	}
	return len(p), nil
}

// TestLineAtTheLimit takes a line of exactly the limit and refuses one byte more.
func TestLineAtTheLimit(t *testing.T) {
	t.Parallel()
	line := strings.TrimSuffix(requestLine(1, "test/echo", `{"text":"abc"}`), "\n")
	for _, ending := range []string{"\n", ""} {
		server := newToy(t).server()
		for _, limit := range []int{len(line), len(line) - 1} {
			server.MaxLine = limit
			var out strings.Builder
			if err := server.Serve(t.Context(), strings.NewReader(line+ending), &out); err != nil {
				t.Fatal(err)
			}
			if taken := strings.Contains(out.String(), "abc"); taken != (limit == len(line)) {
				t.Errorf("limit %d, line %d, ending %q: %s", limit, len(line), ending, out.String())
			}
		}
	}
}

// TestNesting sends what a recursive parser would choke on.
func TestNesting(t *testing.T) {
	t.Parallel()
	const many = 100_000
	arrays := strings.Repeat("[", many) + strings.Repeat("]", many)
	objects := strings.Repeat(`{"a":`, many) + "1" + strings.Repeat("}", many)
	within := func(depth int) string {
		return `{"text":` + strings.Repeat("[", depth-1) + strings.Repeat("]", depth-1) + "}"
	}
	tests := map[string]struct{ line, want string }{
		"a line of arrays":   {arrays, `[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		"a line of objects":  {objects, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		"unclosed":           {strings.Repeat("[", many), `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		"in params":          {requestLine(1, "test/echo", `{"text":`+arrays+`}`), `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: nested deeper than 64 levels"`},
		"in params, objects": {requestLine(1, "test/echo", objects), `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: nested deeper than 64 levels"`},
		"65 levels":          {requestLine(1, "test/echo", within(65)), `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: nested deeper than 64 levels"`},
		"64 levels":          {requestLine(1, "test/echo", within(64)), `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: text: must be a string`},
		"in a batch":         {"[" + strings.TrimSpace(requestLine(1, "test/echo", within(65))) + "]", `[{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"invalid params: nested deeper`},
		"in the id":          {`{"jsonrpc":"2.0","id":` + arrays + `,"method":"test/echo"}`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := newToy(t).serve(t, strings.TrimSpace(test.line)+"\n"+requestLine(2, "test/echo", `{"text":"next"}`))
			if !strings.HasPrefix(got, test.want) {
				t.Errorf("answered %.300s, want %s…", got, test.want)
			}
			if !strings.HasSuffix(got, `{"jsonrpc":"2.0","id":2,"result":{"text":"next"}}`+"\n") {
				t.Errorf("the session did not go on: %.300s", got)
			}
		})
	}
}

// TestBatchTooLarge refuses a batch as a whole.
func TestBatchTooLarge(t *testing.T) {
	t.Parallel()
	full := newToy(t).serve(t, "[1"+strings.Repeat(",1", maxBatch-1)+"]\n")
	if n := strings.Count(full, "-32600"); n != maxBatch {
		t.Errorf("%d errors for a batch of %d", n, maxBatch)
	}
	over := newToy(t).serve(t, "[1"+strings.Repeat(",1", maxBatch)+"]\n")
	if !strings.HasPrefix(over, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: the batch has 1001 members`) {
		t.Errorf("got %.200s", over)
	}
}

// TestTooManyValues refuses, in little memory, a line whose values would take a
// hundred times its own once decoded.
func TestTooManyValues(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("1,", rpc.MaxValues) + "1"
	for _, line := range []string{
		"[" + many + "]",
		requestLine(1, "test/echo", `{"text":[`+many+`]}`),
		`{"jsonrpc":"2.0",` + strings.Repeat(`"a":1,`, rpc.MaxValues) + `"method":"test/echo"}`,
	} {
		got := newToy(t).serve(t, strings.TrimSpace(line)+"\n"+requestLine(2, "test/echo", `{"text":"next"}`))
		if !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"invalid request: the line has about 500`) ||
			!strings.HasSuffix(got, `{"jsonrpc":"2.0","id":2,"result":{"text":"next"}}`+"\n") {
			t.Errorf("%.60s…: got %.300s", line, got)
		}
	}
}

// client is a client of a running server.
type client struct {
	in     *io.PipeWriter
	from   *rpctest.Patient // what out reads
	out    *bufio.Reader
	cancel context.CancelFunc
	ended  chan error
}

func (y *toy) start(t *testing.T, grace time.Duration) *client {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	from := &rpctest.Patient{From: outR}
	s := &client{in: inW, from: from, out: bufio.NewReader(from), cancel: cancel, ended: make(chan error, 1)}
	server := y.server()
	server.Grace = grace
	go func() {
		s.ended <- server.Serve(ctx, inR, outW)
		outW.Close()
	}()
	t.Cleanup(func() { cancel(); inW.Close(); outR.Close() })
	return s
}

func (s *client) send(t *testing.T, lines ...string) {
	t.Helper()
	for _, line := range lines {
		s.from.Call = line
		if _, err := io.WriteString(s.in, line); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *client) receive(t *testing.T) string {
	t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

func expect(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Fatalf("got  %s\nwant %s", got, want)
	}
}

// TestSlowHoldsNobodyUp checks that a slow method does not delay the answers of others.
func TestSlowHoldsNobodyUp(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	s := y.start(t, time.Minute)
	slow := `{"jsonrpc":"2.0","id":1,"method":"test/slow","params":{"text":"slow"}}`
	s.send(t, slow+"\n", "["+slow+","+strings.TrimSpace(requestLine(2, "test/count", "{}"))+"]\n", requestLine(3, "test/count", "{}"))
	expect(t, s.receive(t), `{"jsonrpc":"2.0","id":3,"result":{"n":2}}`)
	s.in.Close() // the slow ones are still owed, and are answered
	close(y.release)
	got := s.receive(t) + s.receive(t)
	for _, want := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"text":"slow"}}`,
		`[{"jsonrpc":"2.0","id":1,"result":{"text":"slow"}},{"jsonrpc":"2.0","id":2,"result":{"n":1}}]`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s is missing in %s", want, got)
		}
	}
	if err := s.from.End(s.ended); err != nil {
		t.Error(err)
	}
}

// TestInterruptAnswersWhatWasRead checks that after the context is done no more input is read,
// and all requests read before are answered.
func TestInterruptAnswersWhatWasRead(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	s := y.start(t, time.Minute)
	// All in one write, so that one read takes it: the last line is unfinished.
	s.send(t, requestLine(1, "test/slow", `{"text":"a"}`)+requestLine(2, "test/echo", `{"text":"b"}`)+
		requestLine(3, "test/echo", `{"text":"c"}`)+`{"jsonrpc":"2.0","id":4,`)
	expect(t, s.receive(t), `{"jsonrpc":"2.0","id":2,"result":{"text":"b"}}`)
	s.cancel() // what was written in one piece has been read in one
	expect(t, s.receive(t), `{"jsonrpc":"2.0","id":3,"result":{"text":"c"}}`)
	close(y.release)
	expect(t, s.receive(t), `{"jsonrpc":"2.0","id":1,"result":{"text":"a"}}`)
	if err := s.from.End(s.ended); err != nil {
		t.Error(err)
	}
}

// TestDeadline checks that a client that never reads does not prevent the server from ending.
func TestDeadline(t *testing.T) {
	t.Parallel()
	s := newToy(t).start(t, time.Millisecond)
	s.send(t, requestLine(1, "test/large", `{"n":1048576}`))
	if _, err := s.out.Peek(1); err != nil { // until the request has been read for sure; most of the answer is not
		t.Fatal(err)
	}
	s.cancel()
	if err := s.from.End(s.ended); !errors.Is(err, rpc.ErrDeadline) {
		t.Errorf("got %v", err)
	}
}

// TestIdleInterrupt checks that a server that waits for input ends when its context is done.
func TestIdleInterrupt(t *testing.T) {
	t.Parallel()
	s := newToy(t).start(t, time.Minute)
	s.send(t, requestLine(1, "test/echo", `{"text":"x"}`))
	s.receive(t)
	s.cancel()
	if err := s.from.End(s.ended); err != nil {
		t.Error(err)
	}
}

// TestReaderThatStops checks that no more input is read while the client reads no answers.
func TestReaderThatStops(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- y.server().Serve(t.Context(), inR, outW) }()
	taken := make(chan int, 1000)
	go func() {
		for i := range 1000 { // each asks for 1 MiB
			if _, err := io.WriteString(inW, requestLine(i, "test/large", `{"n":1048576}`)); err != nil {
				return
			}
			taken <- i
		}
	}()
	answers := bufio.NewReaderSize(outR, 1<<20)
	for want := range 20 {
		line, err := answers.ReadBytes('\n')
		var answer struct{ ID int }
		if err != nil || json.Unmarshal(line, &answer) != nil || answer.ID != want {
			t.Fatalf("answer %d: %v", want, err)
		}
		// One request is being answered, one waits as a line, one may be in
		// the reader's hands; a pipe without a buffer holds none.
		if ahead := len(taken) - want; ahead > 5 {
			t.Fatalf("%d requests were taken in while %d answers were read", len(taken), want)
		}
	}
	inW.Close()
	outR.Close()
	<-ended
}

// TestBatchAnswerTooLarge checks that the size of the answers to a batch is limited, and that
// members over the limit are answered with an error.
func TestBatchAnswerTooLarge(t *testing.T) {
	t.Parallel()
	half := strings.TrimSpace(requestLine(1, "test/large", fmt.Sprintf(`{"n":%d}`, maxBatchAnswer/2)))
	small := strings.TrimSpace(requestLine(2, "test/echo", `{"text":"fits"}`))
	var answers []struct {
		Result map[string]string
		Error  *rpc.Error
	}
	if err := json.Unmarshal([]byte(newToy(t).serve(t, "["+half+","+half+","+small+"]\n")), &answers); err != nil {
		t.Fatal(err)
	}
	if len(answers) != 3 || answers[0].Error != nil || answers[1].Error == nil || answers[2].Result["text"] != "fits" {
		t.Fatalf("got %d answers", len(answers))
	}
	if e := answers[1].Error; e.Code != rpc.InternalError || !strings.Contains(e.Message, "longer than 64 MiB: send it by itself, or request less at once") {
		t.Errorf("the error is %v", e)
	}
}

// TestReadError checks that Serve returns a read error instead of treating it as the end of the
// input.
func TestReadError(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	var out strings.Builder
	in := io.MultiReader(strings.NewReader(requestLine(1, "test/echo", `{"text":"x"}`)+`{"jsonrpc":`), iotest.ErrReader(broken))
	err := newToy(t).server().Serve(t.Context(), in, &out)
	if !errors.Is(err, broken) || out.String() != `{"jsonrpc":"2.0","id":1,"result":{"text":"x"}}`+"\n" {
		t.Errorf("got %v, %s", err, out.String())
	}
}

// TestClientGone checks that Serve returns the error if answers cannot be written.
func TestClientGone(t *testing.T) {
	t.Parallel()
	gone := errors.New("gone")
	inR, inW := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- newToy(t).server().Serve(t.Context(), inR, failingWriter{gone}) }()
	_, _ = io.WriteString(inW, requestLine(1, "test/echo", `{"text":"x"}`))
	if err := <-ended; !errors.Is(err, gone) {
		t.Errorf("got %v", err)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }
