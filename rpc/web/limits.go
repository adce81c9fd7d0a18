package web

import (
	"net/http"
	"time"
)

// limits bound what connections may cost.
type limits struct {
	connections int
	header      time.Duration // until the head of a request is there
	body        time.Duration // until its body is
	idle        time.Duration // between requests
	write       time.Duration // until the client has taken a piece of the answer
}

var usual = limits{
	connections: 512,
	header:      10 * time.Second,
	body:        30 * time.Second,
	idle:        2 * time.Minute,
	write:       30 * time.Second,
}

// maxHeader is how many bytes the head of a request may have.
const maxHeader = 64 << 10

// timely gives the body of a request, and each piece of the answer, its time.
// The answer as a whole may take any: a stream has no end.
func (l limits) timely(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if r.Body != http.NoBody {
			// When the body has been read, package http takes the deadline away.
			_ = control.SetReadDeadline(time.Now().Add(l.body)) // what has no deadlines is no connection
		}
		paced := &pacedWriter{w, control, l.write}
		next.ServeHTTP(paced, r)
		paced.begin() // what is still in buffers is written when this returns
	})
}

// piece is how much of an answer a client has to take within the time for it.
const piece = 64 << 10

// pacedWriter gives each piece its time. Between them there is none.
type pacedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	within  time.Duration
}

// Unwrap is for http.ResponseController.
func (w *pacedWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *pacedWriter) begin() { _ = w.control.SetWriteDeadline(time.Now().Add(w.within)) }
func (w *pacedWriter) end()   { _ = w.control.SetWriteDeadline(time.Time{}) }

// Write implements http.ResponseWriter.
func (w *pacedWriter) Write(p []byte) (int, error) {
	defer w.end()
	written := 0
	for {
		w.begin()
		n, err := w.ResponseWriter.Write(p[written:min(written+piece, len(p))])
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
