package mcp

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"strings"
	"sync"

	"instruction-catalog/rpc"
)

// answering writes the answer to a request as the SDK gives it, but that what the SDK
// explains in plain text is an error of JSON-RPC (modelcontextprotocol/go-sdk#1173).
type answering struct {
	http.ResponseWriter
	user   string        // the authenticated user, or ""
	post   *post         // the request; nil if it is no POST, or could not be read
	begun  chan struct{} // closed when the answer has begun, or will not
	begins func()
	page   int          // the status of an error that the SDK explains in plain text; 0 for none
	text   bytes.Buffer // of that explanation

	mu      sync.Mutex // held while something is written
	written bool       // the status
	wrote   bool       // something, since the last comment was due
}

func newAnswering(w http.ResponseWriter, user string) *answering {
	a := &answering{ResponseWriter: w, user: user, begun: make(chan struct{})}
	a.begins = sync.OnceFunc(func() { close(a.begun) })
	return a
}

// expect says what is answered.
func (a *answering) expect(p *post) { a.post = p }

// Unwrap is for [http.ResponseController].
func (a *answering) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// FlushError is for [http.ResponseController], too.
func (a *answering) FlushError() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	return http.NewResponseController(a.ResponseWriter).Flush()
}

// WriteHeader implements [http.ResponseWriter].
func (a *answering) WriteHeader(status int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.writeHeader(status)
}

func (a *answering) writeHeader(status int) {
	kind, _, _ := mime.ParseMediaType(a.Header().Get("Content-Type"))
	switch {
	case a.written || a.page != 0:
		return
	case status >= http.StatusBadRequest && kind == "text/plain" && a.post != nil:
		a.page = status
		return
	case kind == "text/event-stream":
		a.Header().Set("X-Accel-Buffering", "no") // of a proxy
	}
	a.written = true
	a.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter]. The SDK writes each message with one
// call.
func (a *answering) Write(p []byte) (int, error) {
	a.begins()
	if a.page != 0 {
		return a.text.Write(p)
	}
	return a.write(p)
}

func (a *answering) write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.wrote = true
	a.writeHeader(http.StatusOK)
	return a.ResponseWriter.Write(p)
}

// response is a JSON-RPC response with an error. It has no id if the request's is not
// known, as MCP demands.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Error   *rpc.Error      `json:"error"`
}

// finish writes the error that the SDK explained in plain text, if it did.
func (a *answering) finish() {
	a.begins()
	if a.page == 0 {
		return
	}
	failure := invalid(rpc.Shorten(strings.TrimSpace(a.text.String()), maxEcho))
	failure.status, a.page = a.page, 0
	refuse(a, a.post, failure)
}

// refusal is an error, and the status of HTTP that goes with it.
type refusal struct {
	status int
	err    *rpc.Error
}

var errEnding = busy("the server is ending")

func invalid(why string) *refusal {
	return &refusal{http.StatusBadRequest, invalidRequest("%s", why)}
}

func unreadable(why string) *refusal {
	return &refusal{http.StatusBadRequest, &rpc.Error{Code: rpc.ParseError, Message: "parse error: " + why}}
}

// rejected is an error about what is not a message.
func rejected(e *rpc.Error) *refusal { return &refusal{http.StatusBadRequest, e} }

func busy(why string) *refusal {
	return &refusal{http.StatusServiceUnavailable, &rpc.Error{Code: rpc.InternalError, Message: why}}
}

// statusOf is the status that the versions without sessions give an error.
func statusOf(code rpc.Code) int {
	switch code {
	case rpc.MethodNotFound:
		return http.StatusNotFound
	case rpc.ParseError, rpc.InvalidRequest, rpc.InvalidParams:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// failure is the refusal of a message that is right as a message. In a session,
// such an error is an answer like others, but that a batch is refused as a whole.
func (p *post) failure(e *rpc.Error) *refusal {
	switch {
	case p.batch:
		return rejected(e)
	case p.stateless || e.Code == rpc.InvalidRequest:
		return &refusal{statusOf(e.Code), e}
	}
	return &refusal{http.StatusOK, e}
}

// refuse answers a request with an error. P is nil where it could not be read.
func refuse(w http.ResponseWriter, p *post, r *refusal) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Del("Content-Length")
	if r.status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "10")
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(encodeResponse(response{ID: p.only().ID, Error: r.err})) // a client that does not read needs no answer
}

func encodeResponse(r response) []byte {
	r.Version = "2.0"
	encoded, err := rpc.Encode(r)
	if err != nil {
		panic(err) // ids and errors have been decoded from JSON, or are ours
	}
	return encoded.Bytes()
}
