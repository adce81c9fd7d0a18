package fakebackend

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
)

// Reply answers everything with a status, a type and a body.
func Reply(status int, contentType, body string) Fault {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", contentType)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		return true
	}
}

// Hang never answers.
func Hang(_ http.ResponseWriter, r *http.Request) bool {
	<-r.Context().Done()
	return true
}

// Huge answers with a JSON text of so many bytes, compressed if asked to.
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

// Redirect sends everything to a URL, with the path of the request.
func Redirect(base string) Fault {
	return func(w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, base+r.URL.RequestURI(), http.StatusTemporaryRedirect)
		return true
	}
}

// Edit changes what the backend would have answered: the whole body, decoded.
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

// Replace changes a text wherever it stands in an answer.
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

// Abort closes the connection.
func Abort(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }

// Cut ends every answer in the middle.
func (s *Server) Cut(w http.ResponseWriter, r *http.Request) bool {
	rec := httptest.NewRecorder()
	s.answer(rec, r)
	_, _ = w.Write(rec.Body.Bytes()[:rec.Body.Len()/2])
	return true
}
