package web

import (
	"net/http"
	"time"
)

// limits bound what connections may cost.
type limits struct {
	connections     int           // of clients
	unauthenticated int           // connections without an allowed request
	header          time.Duration // until the head of a request is there
	body            time.Duration // until its body is
	idle            time.Duration // between requests
	write           time.Duration // until the client has taken a piece of the answer
	whole           time.Duration // what the answer may wait for the client in all
}

// unauthenticatedTime is how long an unauthenticated client may take for anything.
const unauthenticatedTime = 5 * time.Second

var usual = limits{
	connections:     1024,
	unauthenticated: 1024,
	header:          unauthenticatedTime,
	body:            30 * time.Second,
	idle:            2 * time.Minute,
	write:           30 * time.Second,
	whole:           2 * time.Minute,
}

// maxHeader is how many bytes the head of a request may have.
const maxHeader = 64 << 10

// timely gives the body of a request, and the answer, their time. What counts of
// the answer is how long it waits for the client: a stream has no end.
func (s *Server) timely(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if r.Body != http.NoBody {
			// When the body has been read, package http takes the deadline away.
			_ = control.SetReadDeadline(time.Now().Add(s.limits.body)) // what has no deadlines is no connection
		}
		paced := &pacedWriter{ResponseWriter: w, control: control, within: s.limits.write, left: s.limits.whole}
		next.ServeHTTP(paced, r)
		paced.begin() // what is still in buffers is written when this returns
		s.refused.count(paced.status)
	})
}

// piece is how much of an answer a client has to take within the time for it.
const piece = 64 << 10

// pacedWriter gives each piece its time, and no more than is left of that of the
// whole answer. Between pieces there is no deadline.
type pacedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	within  time.Duration
	left    time.Duration
	begun   time.Time
	status  int
}

// Unwrap is for http.ResponseController.
func (w *pacedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (w *pacedWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *pacedWriter) begin() {
	w.begun = time.Now()
	_ = w.control.SetWriteDeadline(w.begun.Add(min(w.within, w.left)))
}

func (w *pacedWriter) end() {
	w.left -= time.Since(w.begun)
	_ = w.control.SetWriteDeadline(time.Time{})
}

// Write implements http.ResponseWriter.
func (w *pacedWriter) Write(p []byte) (int, error) {
	written := 0
	for {
		w.begin()
		n, err := w.ResponseWriter.Write(p[written:min(written+piece, len(p))])
		w.end()
		written += n
		if err != nil || written == len(p) {
			return written, err
		}
	}
}

// FlushError implements what http.ResponseController asks for.
func (w *pacedWriter) FlushError() error {
	defer w.end()
	w.begin()
	return w.control.Flush()
}
