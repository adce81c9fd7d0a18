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

// answering writes the SDK's answer to a request. It converts an error that the SDK writes
// as plain text to a JSON-RPC error (modelcontextprotocol/go-sdk#1173).
type answering struct {
	http.ResponseWriter
	user   string        // the authenticated user, or ""
	post   *post         // the request; nil if it is not a POST or could not be read
	begun  chan struct{} // closed when the answer has begun, or the request has ended without one
	begins func()
	page   int          // the status of an error that the SDK writes as plain text; 0 if there is none
	text   bytes.Buffer // the text of that error

	mu      sync.Mutex // held while writing
	written bool       // the status was written
	wrote   bool       // something was written since the last comment was due
}

func newAnswering(w http.ResponseWriter, user string) *answering {
	a := &answering{ResponseWriter: w, user: user, begun: make(chan struct{})}
	a.begins = sync.OnceFunc(func() { close(a.begun) })
	return a
}

// expect sets the request that is being answered.
func (a *answering) expect(p *post) { a.post = p }

// Unwrap returns the underlying writer for [http.ResponseController].
func (a *answering) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// FlushError implements flushing for [http.ResponseController].
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
		a.Header().Set("X-Accel-Buffering", "no") // turns off buffering in a proxy
	}
	a.written = true
	a.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter]. The SDK writes each message with one call to
// Write.
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

// response is a JSON-RPC response with an error. As MCP requires, it has no id if the
// request's id is not known.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Error   *rpc.Error      `json:"error"`
}

// finish writes the error that the SDK wrote as plain text, if there is one.
func (a *answering) finish() {
	a.begins()
	if a.page == 0 {
		return
	}
	failure := invalid(rpc.Shorten(strings.TrimSpace(a.text.String()), maxEcho))
	failure.status, a.page = a.page, 0
	refuse(a, a.post, failure)
}

// refusal is an error with its HTTP status.
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

// rejected returns the refusal of a body that is not a valid message.
func rejected(e *rpc.Error) *refusal { return &refusal{http.StatusBadRequest, e} }

func busy(why string) *refusal {
	return &refusal{http.StatusServiceUnavailable, &rpc.Error{Code: rpc.InternalError, Message: why}}
}

// statusOf returns the HTTP status of an error in protocol versions without sessions.
func statusOf(code rpc.Code) int {
	switch code {
	case rpc.MethodNotFound:
		return http.StatusNotFound
	case rpc.ParseError, rpc.InvalidRequest, rpc.InvalidParams:
		return http.StatusBadRequest
	}
	return http.StatusOK
}

// failure returns the refusal of a well-formed message. In a session its status is 200, as
// for other answers, unless the error is an [rpc.InvalidRequest]. A batch is rejected as a
// whole.
func (p *post) failure(e *rpc.Error) *refusal {
	switch {
	case p.batch:
		return rejected(e)
	case p.stateless || e.Code == rpc.InvalidRequest:
		return &refusal{statusOf(e.Code), e}
	}
	return &refusal{http.StatusOK, e}
}

// refuse answers a request with an error. p is nil if the request could not be read.
func refuse(w http.ResponseWriter, p *post, r *refusal) {
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Del("Content-Length")
	if r.status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "10")
	}
	w.WriteHeader(r.status)
	_, _ = w.Write(encodeResponse(response{ID: p.only().ID, Error: r.err})) // the client may have disconnected
}

func encodeResponse(r response) []byte {
	r.Version = "2.0"
	encoded, err := rpc.Encode(r)
	if err != nil {
		panic(err) // ids and errors were decoded from JSON or created by this server
	}
	return encoded.Bytes()
}
