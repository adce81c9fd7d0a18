package fakebackend

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Fault handles a request instead of the backend and returns true, or returns false to
// leave the request to the backend.
type Fault func(http.ResponseWriter, *http.Request) bool

// Server is the fake backend as an HTTP handler.
type Server struct {
	data     Data
	entityOf map[string]Entity // by id
	delay    time.Duration

	mu       sync.Mutex
	fault    Fault
	requests []*http.Request
	active   int
	peak     int
}

// New returns a backend that serves data.
func New(data Data) *Server {
	s := &Server{data: data, entityOf: map[string]Entity{}}
	for _, e := range data.Entities {
		s.entityOf[e.ID] = e
	}
	return s
}

// SetFault passes every request to f first. A nil f removes the fault.
func (s *Server) SetFault(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault = f
}

// SetDelay delays every answer by d. Call it before the first request.
func (s *Server) SetDelay(d time.Duration) { s.delay = d }

// Requests returns the requests since its last call, and the maximum number of
// concurrent requests since then.
func (s *Server) Requests() (requests []*http.Request, peak int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests, peak = s.requests, s.peak
	s.requests, s.peak = nil, s.active
	return requests, peak
}

// enter records a request and returns the current fault.
func (s *Server) enter(r *http.Request) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r.Clone(r.Context()))
	s.active++
	s.peak = max(s.peak, s.active)
	return s.fault
}

func (s *Server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active--
}

// ServeHTTP answers GET requests.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	fault := s.enter(r)
	defer s.leave()
	if s.delay > 0 {
		select {
		case <-time.After(s.delay):
		case <-r.Context().Done():
			return
		}
	}
	if fault == nil || !fault(w, r) {
		s.answer(w, r)
	}
}

func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	if path, slash := strings.CutSuffix(r.URL.Path, "/"); slash && path != "" {
		http.Redirect(w, r, path, http.StatusPermanentRedirect)
		return
	}
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/api/"), "/")
	switch {
	case r.Method != http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.URL.Path == "/api/projects":
		s.projects(w, r)
	case r.URL.Path == "/api/entities":
		s.scoped(w, r, s.entities)
	case len(parts) == 2 && parts[0] == "entities":
		s.scoped(w, r, func(w http.ResponseWriter, r *http.Request, project string) { s.entity(w, r, project, parts[1]) })
	case len(parts) == 3 && parts[0] == "entities" && parts[2] == "graph":
		s.scoped(w, r, func(w http.ResponseWriter, r *http.Request, project string) { s.graph(w, r, project, parts[1]) })
	case r.URL.Path == "/api/relationships":
		s.scoped(w, r, s.relationships)
	case r.URL.Path == "/api/seo/search-performance":
		s.scoped(w, r, s.performances)
	case r.URL.Path == "/api/quotable-blocks":
		s.scoped(w, r, s.blocks)
	default:
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write([]byte("<!DOCTYPE html><title>404: This page could not be found.</title>"))
	}
}

// scoped determines the project of a request as the real backend does: from the id
// header, the slug header, the cookie, or the default.
func (s *Server) scoped(w http.ResponseWriter, r *http.Request, handle func(http.ResponseWriter, *http.Request, string)) {
	id := strings.Join(r.Header.Values("X-Project-Id"), ", ")
	if slug := r.Header.Get("X-Project-Slug"); id == "" && slug != "" {
		id = s.projectBySlug(slug)
	}
	if cookie, err := r.Cookie("projectId"); id == "" && err == nil {
		id = cookie.Value
	}
	id = cmp.Or(id, DefaultProject)
	known := slices.ContainsFunc(s.data.Projects, func(p Project) bool { return strings.EqualFold(p.ID, id) })
	switch {
	case !isUUID(id):
		refuse(w, http.StatusBadRequest, "x-project-id must be a valid UUID")
	case !known:
		refuse(w, http.StatusBadRequest, "Project not found: "+id)
	default:
		handle(w, r, id)
	}
}

func (s *Server) projectBySlug(slug string) string {
	for _, p := range s.data.Projects {
		if p.Slug == slug {
			return p.ID
		}
	}
	return "unknown slug"
}

var codes = map[int]string{
	http.StatusBadRequest:          "BAD_REQUEST",
	http.StatusUnauthorized:        "UNAUTHORIZED",
	http.StatusForbidden:           "FORBIDDEN",
	http.StatusNotFound:            "NOT_FOUND",
	http.StatusInternalServerError: "SERVER_ERROR",
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, status int, message string) {
	reply(w, status, map[string]any{"error": map[string]string{"code": codes[status], "message": message}})
}

func reply(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

// parseInt parses the leading digits of a text, as JavaScript does.
func parseInt(text string, fallback int) (int, bool) {
	if text == "" {
		return fallback, true
	}
	digits := strings.IndexFunc(text[1:], func(r rune) bool { return r < '0' || r > '9' })
	if digits >= 0 {
		text = text[:digits+1]
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// page answers with one page of the rows for which keep returns true, sorted by compare.
func page[T any](w http.ResponseWriter, r *http.Request, rows []T, compare func(a, b T) int, keep func(T) bool) {
	number, ok := parseInt(r.FormValue("page"), 1)
	limit, ok2 := parseInt(r.FormValue("limit"), 20)
	if !ok || !ok2 {
		refuse(w, http.StatusInternalServerError, "Internal server error")
		return
	}
	number, limit = max(number, 1), min(max(limit, 1), 100)
	kept := make([]T, 0, len(rows))
	for _, row := range rows {
		if keep(row) {
			kept = append(kept, row)
		}
	}
	slices.SortFunc(kept, compare)
	from := min(len(kept), (number-1)*limit)
	reply(w, http.StatusOK, map[string]any{
		"data": kept[from:min(len(kept), from+limit)],
		"pagination": map[string]any{
			"page": number, "limit": limit, "total": len(kept), "hasMore": number*limit < len(kept),
		},
	})
}
