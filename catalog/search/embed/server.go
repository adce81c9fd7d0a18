package embed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"

	"instruction-catalog/catalog/files"
)

// maxAnswer is the maximum size of a server's answer, in bytes.
const maxAnswer = 64 << 20

// server is an embedder behind an HTTP API.
type server struct {
	identity      string
	url           string
	model         string // "" for the server's default
	authorization string // value of the Authorization header; "" for none
	http          *http.Client
}

func newServer(source, key string) (*server, error) {
	u, err := url.Parse(source)
	switch {
	case err != nil: // the error text would include a password
		return nil, errors.New("the URL of the embedder cannot be read: give one such as http://localhost:11434/v1#model")
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return nil, errors.New("the URL of the embedder must begin with http:// or https:// and name a host")
	case u.User != nil:
		return nil, errors.New("the URL of the embedder must have no credentials: set CATALOG_EMBEDDER_KEY to the bearer token")
	case u.RawQuery != "":
		return nil, errors.New("the URL of the embedder must have no query: leave out what begins with ?")
	case strings.ContainsFunc(key, unicode.IsControl):
		return nil, errors.New("CATALOG_EMBEDDER_KEY must be one line without control characters")
	}
	s := &server{identity: u.String(), model: u.Fragment}
	if key != "" {
		s.authorization = "Bearer " + key
	}
	u.Fragment, u.RawFragment = "", ""
	s.url = u.JoinPath("embeddings").String()
	s.http = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return s, nil
}

// Identity implements [Embedder].
func (s *server) Identity() string { return s.identity }

// Embed implements [Embedder].
func (s *server) Embed(ctx context.Context, texts []string) ([]Vector, error) {
	vectors, err := s.exchange(ctx, texts)
	if err != nil {
		return nil, fmt.Errorf("POST %s: %.300w", s.url, err)
	}
	return vectors, nil
}

func (s *server) exchange(ctx context.Context, texts []string) ([]Vector, error) {
	question, err := json.Marshal(struct {
		Model string   `json:"model,omitzero"`
		Input []string `json:"input"`
	}{s.model, texts})
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url, bytes.NewReader(question))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	r.Header.Set("User-Agent", "instruction-catalog")
	if s.authorization != "" {
		r.Header.Set("Authorization", s.authorization)
	}
	answer, err := s.http.Do(r)
	if err != nil {
		if e, ok := errors.AsType[*url.Error](err); ok {
			err = e.Err // the caller adds the URL
		}
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the server answers with status %d", answer.StatusCode)
	}
	text, err := files.ReadAll(answer.Body, maxAnswer)
	if err != nil {
		return nil, err
	}
	return readAnswer(text, len(texts))
}
