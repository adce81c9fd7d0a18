package httpapi_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"instruction-catalog/toolsets/entities"
	"instruction-catalog/toolsets/entities/httpapi"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

var (
	project = entities.ID(fakebackend.DefaultProject)
	guide   = entities.ID(fakebackend.ID('e', 1))
	first   = entities.PageRequest{Page: 1, Limit: 20}
)

func start(t testing.TB, token string) (*fakebackend.Server, *httpapi.Client) {
	t.Helper()
	backend := fakebackend.New(fakebackend.Sample())
	server := httptest.NewServer(backend)
	t.Cleanup(server.Close)
	return backend, newClient(t, server.URL, token)
}

func newClient(t testing.TB, base, token string) *httpapi.Client {
	t.Helper()
	c, err := httpapi.New(base, token)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// questions returns one call of each method.
func questions(c entities.Backend) map[string]func(context.Context) error {
	ask := func(f func(context.Context) error) func(context.Context) error { return f }
	return map[string]func(context.Context) error{
		"projects": ask(func(ctx context.Context) error { _, err := c.Projects(ctx, first); return err }),
		"entities": ask(func(ctx context.Context) error {
			_, err := c.Entities(ctx, project, entities.EntityFilter{}, first)
			return err
		}),
		"entity": ask(func(ctx context.Context) error { _, err := c.Entity(ctx, project, guide); return err }),
		"graph":  ask(func(ctx context.Context) error { _, err := c.Graph(ctx, project, guide, 2, nil); return err }),
		"count": ask(func(ctx context.Context) error {
			_, err := c.CountRelationships(ctx, project, guide, entities.Outgoing)
			return err
		}),
		"performance": ask(func(ctx context.Context) error {
			_, err := c.SearchPerformance(ctx, project, entities.PerformanceFilter{}, first)
			return err
		}),
		"blocks": ask(func(ctx context.Context) error {
			_, err := c.QuotableBlocks(ctx, project, entities.BlockFilter{}, first)
			return err
		}),
	}
}

// TestEveryRequestIsPlain checks that each call sends a new GET request for the project
// without cookies, even after the backend has set one.
func TestEveryRequestIsPlain(t *testing.T) {
	t.Parallel()
	backend, c := start(t, "")
	backend.SetFault(func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Set-Cookie", "projectId="+fakebackend.OtherProject)
		w.Header().Set("Etag", `"1"`)
		w.Header().Set("Cache-Control", "max-age=3600")
		return false
	})
	for name, ask := range questions(c) {
		for range 2 {
			if err := ask(t.Context()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		requests, _ := backend.Requests()
		if len(requests) != 2 {
			t.Errorf("%s: two calls make %d requests", name, len(requests))
		}
		for _, r := range requests {
			wanted := []string{string(project)}
			if name == "projects" {
				wanted = nil
			}
			got := r.Header.Values("X-Project-Id")
			if r.Method != http.MethodGet || strings.Join(got, "|") != strings.Join(wanted, "|") {
				t.Errorf("%s: %s for the projects %q", name, r.Method, got)
			}
			for _, header := range []string{"Cookie", "Authorization", "If-None-Match", "If-Modified-Since", "X-Project-Slug"} {
				if value := r.Header.Get(header); value != "" {
					t.Errorf("%s: sends %s: %s", name, header, value)
				}
			}
		}
	}
}

// TestFilters checks the query params that the backend receives for each filter.
func TestFilters(t *testing.T) {
	t.Parallel()
	backend, c := start(t, "")
	page := entities.PageRequest{Page: 3, Limit: 7}
	tests := []struct {
		ask  func() error
		path string
		want url.Values
	}{
		{func() error {
			_, err := c.Entities(t.Context(), project, entities.EntityFilter{EntityType: "concept", Status: "draft", ConceptKind: "model", Search: `50%_\ ü&a=b`}, page)
			return err
		}, "/api/entities", url.Values{"entityType": {"concept"}, "status": {"draft"}, "conceptKind": {"model"}, "search": {`50\%\_\\ ü&a=b`}, "page": {"3"}, "limit": {"7"}}},
		{func() error {
			_, err := c.SearchPerformance(t.Context(), project, entities.PerformanceFilter{Query: "_", PageURL: "/a%20b", EntityID: guide, DateStart: "2026-01-01", DateEnd: "2026-01-02"}, page)
			return err
		}, "/api/seo/search-performance", url.Values{"query": {`\_`}, "pageUrl": {`/a\%20b`}, "entityId": {string(guide)}, "dateStart": {"2026-01-01"}, "dateEnd": {"2026-01-02"}, "page": {"3"}, "limit": {"7"}}},
		{func() error {
			_, err := c.QuotableBlocks(t.Context(), project, entities.BlockFilter{EntityID: guide, ClaimType: "statistic", TopicTag: "%", VerifiedUntilBefore: "2026-01-02", VerifiedUntilAfter: "2026-01-01"}, page)
			return err
		}, "/api/quotable-blocks", url.Values{"entityId": {string(guide)}, "claimType": {"statistic"}, "topicTag": {`\%`}, "verifiedUntilBefore": {"2026-01-02"}, "verifiedUntilAfter": {"2026-01-01"}, "page": {"3"}, "limit": {"7"}}},
		{func() error {
			_, err := c.Graph(t.Context(), project, guide, 2, []entities.RelationType{"GUIDE_USES_CONCEPT", "PROJECT_HAS_GUIDE"})
			return err
		}, "/api/entities/" + string(guide) + "/graph", url.Values{"depth": {"2"}, "relationshipTypes": {"GUIDE_USES_CONCEPT,PROJECT_HAS_GUIDE"}}},
		{func() error {
			_, err := c.CountRelationships(t.Context(), project, guide, entities.Incoming)
			return err
		}, "/api/relationships", url.Values{"toEntityId": {string(guide)}, "page": {"1"}, "limit": {"1"}}},
	}
	for _, tt := range tests {
		if err := tt.ask(); err != nil {
			t.Errorf("%s: %v", tt.path, err)
		}
		requests, _ := backend.Requests()
		if len(requests) != 1 || requests[0].URL.Path != tt.path || requests[0].URL.Query().Encode() != tt.want.Encode() {
			t.Errorf("asks %v, want %s?%s", requests[0].URL, tt.path, tt.want.Encode())
		}
	}
}

// TestSearchIsLiteral checks that the backend's wildcards match literally.
func TestSearchIsLiteral(t *testing.T) {
	t.Parallel()
	_, c := start(t, "")
	for search, want := range map[string]int{"": 5, "rye": 3, "RYE": 3, "%": 1, "_": 1, "h_r": 0, "r%e": 0, `\`: 0, "100%": 1, "sourdough_": 1} {
		page, err := c.Entities(t.Context(), project, entities.EntityFilter{Search: search}, first)
		if err != nil || page.Total != want {
			t.Errorf("%q finds %d: %v, want %d", search, page.Total, err, want)
		}
	}
}

func TestWhatIsNotThere(t *testing.T) {
	t.Parallel()
	_, c := start(t, "")
	unknown := entities.ID("00000000-0000-4000-a000-00000000dead")
	tests := map[string]struct {
		err  error
		want error
	}{
		"missing entity":                {second(c.Entity(t.Context(), project, unknown)), entities.ErrEntityNotFound},
		"another project's entity":      {second(c.Entity(t.Context(), project, entities.ID(fakebackend.ID('f', 1)))), entities.ErrEntityNotFound},
		"another project's graph":       {second(c.Graph(t.Context(), project, entities.ID(fakebackend.ID('f', 1)), 1, nil)), entities.ErrEntityNotFound},
		"an entity of no project":       {second(c.Entity(t.Context(), unknown, guide)), entities.ErrProjectNotFound},
		"the entities of no project":    {second(c.Entities(t.Context(), unknown, entities.EntityFilter{}, first)), entities.ErrProjectNotFound},
		"the blocks of no project":      {second(c.QuotableBlocks(t.Context(), unknown, entities.BlockFilter{}, first)), entities.ErrProjectNotFound},
		"the performance of no project": {second(c.SearchPerformance(t.Context(), unknown, entities.PerformanceFilter{}, first)), entities.ErrProjectNotFound},
	}
	for name, tt := range tests {
		if !errors.Is(tt.err, tt.want) {
			t.Errorf("%s: %v, want %v", name, tt.err, tt.want)
		}
	}
	blocks, err := c.QuotableBlocks(t.Context(), project, entities.BlockFilter{EntityID: entities.ID(fakebackend.ID('f', 1))}, first)
	if err != nil || blocks.Total != 0 {
		t.Errorf("blocks of another project's entity: %d, %v", blocks.Total, err)
	}
}

func second[T any](_ T, err error) error { return err }

// TestRefusals checks the error for each status and body.
func TestRefusals(t *testing.T) {
	t.Parallel()
	const secret = "SELECT password"
	body := func(code, message string) string {
		return `{"error":{"code":"` + code + `","message":"` + message + `"}}`
	}
	tests := []struct {
		status int
		body   string
		want   error // nil for a general failure
	}{
		{401, body("UNAUTHORIZED", secret), entities.ErrUnauthorized},
		{403, "", entities.ErrForbidden},
		{404, body("NOT_FOUND", secret), entities.ErrEntityNotFound},
		{404, "<html>", nil},
		{404, `{"data":{}}`, nil},
		{400, body("BAD_REQUEST", "Project not found: "+string(project)), entities.ErrProjectNotFound},
		{400, body("BAD_REQUEST", "Project not found: somebody else's"), nil},
		{400, body("NOT_FOUND", secret), nil},
		{500, body("NOT_FOUND", secret), nil},
		{503, body("NOT_FOUND", "Project not found: "+string(project)), nil},
		{204, "", nil},
		{201, `{"data":{}}`, nil},
		{304, "", nil},
	}
	backend, c := start(t, "")
	for _, tt := range tests {
		backend.SetFault(fakebackend.Reply(tt.status, "application/json", tt.body))
		_, err := c.Entity(t.Context(), project, guide)
		if err == nil || tt.want != nil && !errors.Is(err, tt.want) || tt.want == nil && told(err) {
			t.Errorf("%d %s: %v, want %v", tt.status, tt.body, err, tt.want)
		}
		if err != nil && strings.Contains(err.Error(), secret) {
			t.Errorf("%d: the error has the backend's words: %v", tt.status, err)
		}
	}
}

// TestIDsOfOtherVersions checks that rows may have ids of any version, and that the
// backend is not asked for ids that it would reject.
func TestIDsOfOtherVersions(t *testing.T) {
	t.Parallel()
	backend, c := start(t, "")
	for _, id := range []entities.ID{"65000000-0000-7000-8000-000000000001", "65000000-0000-4000-c000-000000000001", "00000000-0000-0000-0000-000000000000"} {
		if _, err := c.Entity(t.Context(), project, id); !errors.Is(err, entities.ErrEntityNotFound) {
			t.Errorf("%s: %v", id, err)
		}
		if _, err := c.Graph(t.Context(), project, id, 1, nil); !errors.Is(err, entities.ErrEntityNotFound) {
			t.Errorf("the graph of %s: %v", id, err)
		}
	}
	if requests, _ := backend.Requests(); len(requests) > 0 {
		t.Errorf("asks %v", requests[0].URL)
	}
}

// TestErrorsAreShort checks that errors quote at most one line from the backend.
func TestErrorsAreShort(t *testing.T) {
	t.Parallel()
	backend, c := start(t, "")
	long := strings.Repeat("secret", 2000)
	for name, fault := range map[string]fakebackend.Fault{
		"a location that cannot be read": func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header()["Location"] = []string{"http://[" + long}
			w.WriteHeader(http.StatusFound)
			return true
		},
		"a host without end": fakebackend.Redirect("http://" + long),
		"a time that is none": backend.Edit(func(_ *http.Request, body map[string]any) {
			body["data"].(map[string]any)["createdAt"] = "2026-02-30T00:00:00.000" + long
		}),
	} {
		backend.SetFault(fault)
		if _, err := c.Entity(t.Context(), project, guide); err == nil || told(err) || len(err.Error()) > 500 {
			t.Errorf("%s: %.600v", name, err)
		}
	}
	backend.SetFault(backend.Replace("2026-01-01T00:01", "2026-02-30T00:01"))
	if _, err := c.Entity(t.Context(), project, guide); err == nil || strings.Contains(err.Error(), "02-30") {
		t.Errorf("quotes a time: %v", err)
	}
}

// told reports whether err is one of the errors that callers distinguish.
func told(err error) bool {
	return errors.Is(err, entities.ErrEntityNotFound) || errors.Is(err, entities.ErrProjectNotFound) ||
		errors.Is(err, entities.ErrUnauthorized) || errors.Is(err, entities.ErrForbidden)
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ user, token, want string }{
		{"", "", ""},
		{"", "abc", "Bearer abc"},
		{"ann:secret@", "", "Basic YW5uOnNlY3JldA=="},
		{"ann:secret@", "abc", "Bearer abc"},
	} {
		backend := fakebackend.New(fakebackend.Sample())
		server := httptest.NewServer(backend)
		defer server.Close()
		c := newClient(t, strings.Replace(server.URL, "://", "://"+tt.user, 1)+"/", tt.token)
		if _, err := c.Projects(t.Context(), first); err != nil {
			t.Error(err)
		}
		requests, _ := backend.Requests()
		if got := requests[0].Header.Get("Authorization"); got != tt.want {
			t.Errorf("%+v: sends %q", tt, got)
		}
		backend.SetFault(fakebackend.Reply(500, "text/html", "<html>"))
		if _, err := c.Projects(t.Context(), first); err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "abc") {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestURLs(t *testing.T) {
	t.Parallel()
	for _, bad := range []string{"", "host", "localhost:8080", "ftp://host", "http://", "http:///path", "http://host?a=b", "http://host#a", "http://user:secret@host:port", "http://:8089", "http://user:secret@:8089", "http://host:99999", "http://host:0", ":"} {
		if _, err := httpapi.New(bad, ""); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	for _, token := range []string{"a\nb", "a\x01b", "\x7f", "a\tb", "\u0085"} {
		if _, err := httpapi.New("http://host", token); err == nil {
			t.Errorf("the token %q is taken", token)
		}
	}
	backend := fakebackend.New(fakebackend.Sample())
	server := httptest.NewServer(http.StripPrefix("/base/path", backend))
	defer server.Close()
	for _, path := range []string{"/base/path", "/base/path/"} {
		if _, err := newClient(t, server.URL+path, "").Projects(t.Context(), first); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestRedirects checks that redirects are followed within the host, up to a limit, and
// that no other host receives a request.
func TestRedirects(t *testing.T) {
	t.Parallel()
	other := fakebackend.New(fakebackend.Sample())
	elsewhere := httptest.NewServer(other)
	defer elsewhere.Close()
	backend, c := start(t, "token")

	backend.SetFault(fakebackend.Redirect(elsewhere.URL))
	if _, err := c.Entity(t.Context(), project, guide); err == nil || !strings.Contains(err.Error(), "redirects to "+elsewhere.URL) {
		t.Errorf("to another host: %v", err)
	}
	if requests, _ := other.Requests(); len(requests) > 0 {
		t.Errorf("the other host is asked: %v", requests)
	}
	backend.SetFault(fakebackend.Redirect(""))
	if _, err := c.Entity(t.Context(), project, guide); err == nil || !strings.Contains(err.Error(), "more than 10 times") {
		t.Errorf("in a circle: %v", err)
	}
	backend.SetFault(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/api/projects" {
			return false
		}
		http.Redirect(w, r, "/api/entities/"+string(guide), http.StatusPermanentRedirect)
		return true
	})
	backend.Requests()
	if _, err := c.Projects(t.Context(), first); err == nil {
		t.Error("an entity is taken for the projects")
	}
	if requests, _ := backend.Requests(); len(requests) != 2 || requests[1].Header.Get("Authorization") != "Bearer token" {
		t.Errorf("within the host: %v", requests)
	}
}

// TestRequestsAtATime checks that at most eight requests run at once, and that a waiting
// request can be cancelled.
func TestRequestsAtATime(t *testing.T) {
	t.Parallel()
	backend, c := start(t, "")
	release := make(chan struct{})
	arrived := make(chan struct{}, 50)
	backend.SetFault(func(_ http.ResponseWriter, r *http.Request) bool {
		arrived <- struct{}{}
		<-release
		return false
	})
	var calls sync.WaitGroup
	for range 50 {
		calls.Go(func() {
			if _, err := c.Entity(t.Context(), project, guide); err != nil {
				t.Error(err)
			}
		})
	}
	for range 8 {
		<-arrived
	}
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Entity(impatient, project, guide); !errors.Is(err, context.Canceled) {
		t.Errorf("who gave up gets %v", err)
	}
	close(release)
	calls.Wait()
	if requests, peak := backend.Requests(); len(requests) != 50 || peak > 8 {
		t.Errorf("%d requests, %d at a time", len(requests), peak)
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	backend, c := start(t, "")
	for name, fault := range map[string]fakebackend.Fault{
		"no answer": fakebackend.Hang,
		"half an answer": func(w http.ResponseWriter, r *http.Request) bool {
			_, _ = w.Write([]byte(`{"data":[`))
			_ = http.NewResponseController(w).Flush()
			return fakebackend.Hang(w, r)
		},
		"half a refusal": func(w http.ResponseWriter, r *http.Request) bool {
			w.WriteHeader(http.StatusInternalServerError)
			_, _ = w.Write([]byte(`{"error":{`))
			_ = http.NewResponseController(w).Flush()
			return fakebackend.Hang(w, r)
		},
	} {
		backend.SetFault(fault)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if _, err := c.Projects(ctx, first); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
	}
	dead := httptest.NewServer(nil)
	dead.Close()
	if _, err := newClient(t, dead.URL, "").Projects(t.Context(), first); err == nil {
		t.Error("nobody listens, and there is an answer")
	}
}
