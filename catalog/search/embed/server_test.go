package embed_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"instruction-catalog/catalog/search/embed"
)

// TestServer checks the request to a server, and that the order of the answer does not
// matter.
func TestServer(t *testing.T) {
	t.Parallel()
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got = append(got, r.Method+" "+r.URL.String()+" "+r.Header.Get("Authorization")+" "+string(body))
		_, _ = io.WriteString(w, `{"object":"list","data":[{"index":1,"embedding":[0,-2]},{"index":0,"embedding":[3e0, 4]}],"usage":{}}`)
	}))
	defer server.Close()
	for _, tt := range []struct{ source, key, want string }{
		{"/v1#a/b:c", "", `POST /v1/embeddings  {"model":"a/b:c","input":["x","ü"]}`},
		{"/v1/", "secret", `POST /v1/embeddings Bearer secret {"input":["x","ü"]}`},
		{"", "", `POST /embeddings  {"input":["x","ü"]}`},
	} {
		e, err := embed.Open(server.URL+tt.source, tt.key)
		if err != nil {
			t.Fatal(err)
		}
		vectors, err := e.Embed(t.Context(), []string{"x", "ü"})
		if err != nil || [2]float32(vectors[0]) != [2]float32{0.6, 0.8} || [2]float32(vectors[1]) != [2]float32{0, -1} {
			t.Errorf("%v, %v", vectors, err)
		}
		if last := got[len(got)-1]; last != tt.want {
			t.Errorf("it is sent\n%s\nwant\n%s", last, tt.want)
		}
		if strings.Contains(e.Identity(), "secret") {
			t.Errorf("the identity has the key: %s", e.Identity())
		}
	}
}

// TestServerFails checks that errors contain neither the server's response nor the key.
func TestServerFails(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, "SELECT password")
	}))
	defer server.Close()
	e, err := embed.Open(server.URL, "my key")
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.Embed(t.Context(), []string{"x"})
	if want := "POST " + server.URL + "/embeddings: the server answers with status 500"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestBadSources(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"ftp://host/v1":             "must begin with http:// or https://",
		"http:///v1":                "name a host",
		"http://ann:secret@host/v1": "must have no credentials: set CATALOG_EMBEDDER_KEY",
		"http://secret@host/v1":     "must have no credentials",
		"http://host/v1?key=secret": "must have no query",
		"http://host:x/secret":      "cannot be read",
	} {
		if _, err := embed.Open(source, ""); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", source, err, want)
		}
	}
	if _, err := embed.Open("http://host", "two\nlines"); err == nil || !strings.Contains(err.Error(), "one line") {
		t.Errorf("a key of two lines: %v", err)
	}
}
