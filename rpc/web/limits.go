package web

import (
	"net/http"
	"time"
)

// limits are the limits for connections.
type limits struct {
	connections     int           // connections of clients
	unauthenticated int           // connections that have had no allowed request
	header          time.Duration // for reading the header of a request
	body            time.Duration // for reading the body of a request
	idle            time.Duration // between requests
	write           time.Duration // for writing a piece of the answer
	whole           time.Duration // for all writes of an answer together
}

// unauthenticatedTime is the time for each step of an unauthenticated request: reading its
// header, reading its body and writing its answer.
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

// maxHeader is the maximum size of a request header in bytes.
const maxHeader = 64 << 10

// timely limits the time for reading the body of a request and for writing its answer. For
// the answer only the time spent in writes counts, because a stream has no end.
func (s *Server) timely(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		if r.Body != http.NoBody {
			// When the body has been read, package http removes the deadline.
			_ = control.SetReadDeadline(time.Now().Add(s.limits.body)) // fails only if there is no connection
		}
		paced := &pacedWriter{ResponseWriter: w, control: control, within: s.limits.write, left: s.limits.whole}
		next.ServeHTTP(paced, r)
		paced.begin() // package http writes the buffered rest after this returns
		s.refused.count(paced.status)
	})
}

// piece is the number of bytes of an answer that are written with one deadline.
const piece = 64 << 10

// pacedWriter sets a write deadline for each piece of an answer: within from now, or the
// time left for the whole answer if that is less. Between pieces there is no deadline.
type pacedWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	within  time.Duration
	left    time.Duration
	begun   time.Time
	status  int
}

// Unwrap returns the underlying writer for http.ResponseController.
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

// FlushError implements flushing for http.ResponseController.
func (w *pacedWriter) FlushError() error {
	defer w.end()
	w.begin()
	return w.control.Flush()
}
