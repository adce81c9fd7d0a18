package fakebackend

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
)

// Reply returns a fault that answers every request with a status, a content type and a
// body.
func Reply(status int, contentType, body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		return true
	}
}

// Hang is a fault that never answers.
func Hang(_ http.ResponseWriter, r *http.Request) bool {
	<-r.Context().Done()
	return true
}

// Huge returns a fault that answers with a JSON text of at least size bytes, compressed
// if requested.
func Huge(size int, compressed bool) Fault {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		out := io.Writer(w)
		if compressed {
			w.Header().Set("Content-Encoding", "gzip")
			zip := gzip.NewWriter(w)
			defer zip.Close()
			out = zip
		}
		blanks := strings.Repeat(" ", 1<<16)
		for written := 0; written < size; written += len(blanks) {
			if _, err := io.WriteString(out, blanks); err != nil {
				return true
			}
		}
		_, _ = io.WriteString(out, `{"data":[]}`)
		return true
	}
}

// Redirect returns a fault that redirects every request to base, keeping the path and
// query.
func Redirect(base string) Fault {
	return func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, base+r.URL.RequestURI(), http.StatusTemporaryRedirect)
		return true
	}
}

// Edit returns a fault that modifies the decoded body of each answer.
func (s *Server) Edit(edit func(r *http.Request, body map[string]any)) Fault {
	return func(w http.ResponseWriter, r *http.Request) bool {
		rec := httptest.NewRecorder()
		s.answer(rec, r)
		var body map[string]any
		if err := json.Unmarshal(rec.Body.Bytes(), &body); err != nil {
			return false
		}
		edit(r, body)
		reply(w, rec.Code, body)
		return true
	}
}

// Replace returns a fault that replaces a text everywhere in an answer.
func (s *Server) Replace(from, to string) Fault {
	return s.Edit(func(_ *http.Request, body map[string]any) { replace(body, from, to) })
}

func replace(value any, from, to string) any {
	switch v := value.(type) {
	case map[string]any:
		for name, member := range v {
			v[name] = replace(member, from, to)
		}
	case []any:
		for i, element := range v {
			v[i] = replace(element, from, to)
		}
	case string:
		return strings.ReplaceAll(v, from, to)
	}
	return value
}

// Abort is a fault that closes the connection.
func Abort(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }

// Cut is a fault that sends only the first half of each answer.
func (s *Server) Cut(w http.ResponseWriter, r *http.Request) bool {
	rec := httptest.NewRecorder()
	s.answer(rec, r)
	_, _ = w.Write(rec.Body.Bytes()[:rec.Body.Len()/2])
	return true
}
