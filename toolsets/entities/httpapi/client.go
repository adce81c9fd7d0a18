// Package httpapi implements the backend of entities over HTTP. It sends GET requests
// with the project in a header, and validates every answer against the model.
//
// It sends no request until it is called, sends no cookies, and sends its credentials
// only to the configured host. It does not cache answers or follow redirects to other
// hosts. Error texts from the backend are only logged.
package httpapi

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"instruction-catalog/toolsets/entities"
)

// Limits for the answers of a backend.
const (
	maxBody      = 8 << 20 // maximum size of an answer after decompression, in bytes
	maxRedirects = 10
)

// Client reads a backend over HTTP. It implements [entities.Backend].
type Client struct {
	base          *url.URL // without credentials
	authorization string   // value of the Authorization header; "" for none
	http          *http.Client
	slots         chan struct{} // semaphore: one value per request in progress
}

var _ entities.Backend = (*Client)(nil)

// New returns a client for the backend at a base URL, which may contain a path, a user
// and a password. If token is not "", it is sent as a bearer token instead of the user
// and password. New sends no request.
func New(base, token string) (*Client, error) {
	u, err := url.Parse(base)
	switch {
	case err != nil: // the error text would include the password
		return nil, errors.New("the URL of the backend cannot be read: give one such as https://host/path")
	case u.Scheme != "http" && u.Scheme != "https", u.Hostname() == "":
		return nil, errors.New("the URL of the backend must begin with http:// or https:// and name a host")
	case !portExists(u.Port()):
		return nil, errors.New("the URL of the backend must have a port of 1 to 65535, or none")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("the URL of the backend must end with its path: leave out what begins with ? or #")
	case strings.ContainsFunc(token, unicode.IsControl):
		return nil, errors.New("the token for the backend must be one line without control characters")
	}
	c := &Client{authorization: authorization(u.User, token), slots: make(chan struct{}, entities.MaxRequests)}
	u.User = nil
	c.base = u
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = entities.MaxRequests
	c.http = &http.Client{Transport: transport, CheckRedirect: c.checkRedirect}
	return c, nil
}

func portExists(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

func authorization(user *url.Userinfo, token string) string {
	if token != "" {
		return "Bearer " + token
	}
	if user == nil {
		return ""
	}
	password, _ := user.Password()
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password))
}

// checkRedirect allows fewer than maxRedirects redirects, and only to the backend's own
// scheme and host.
func (c *Client) checkRedirect(to *http.Request, via []*http.Request) error {
	switch {
	case to.URL.Scheme != c.base.Scheme || to.URL.Host != c.base.Host || to.URL.User != nil:
		return fmt.Errorf("it redirects to %s://%s: name the host that answers as its URL", to.URL.Scheme, to.URL.Host)
	case len(via) >= maxRedirects:
		return fmt.Errorf("it redirects more than %d times", maxRedirects)
	}
	return nil
}

// Close closes the idle connections.
func (c *Client) Close() error {
	c.http.CloseIdleConnections()
	return nil
}

// request is a request to the backend.
type request struct {
	project entities.ID // "" for data that belongs to no project
	path    []string    // below the base URL
	query   url.Values
}

// get sends a request and passes the body of the answer, limited to maxBody bytes, to
// decode.
func (c *Client) get(ctx context.Context, r request, decode func(io.Reader) error) error {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	u := c.base.JoinPath(r.path...)
	if err := c.exchange(ctx, u, r, decode); err != nil {
		// Errors of net/http and of the decoder can quote any amount of text from the
		// backend.
		return fmt.Errorf("GET %s: %.300w", u, err)
	}
	return nil
}

func (c *Client) exchange(ctx context.Context, u *url.URL, r request, decode func(io.Reader) error) error {
	asked := *u
	asked.RawQuery = r.query.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, asked.String(), nil)
	if err != nil {
		return err
	}
	c.setHeaders(req.Header, r.project)
	resp, err := c.http.Do(req)
	if err != nil {
		return withoutURL(err)
	}
	defer resp.Body.Close()
	body := http.MaxBytesReader(nil, resp.Body, maxBody)
	if resp.StatusCode != http.StatusOK {
		return refusal(resp.StatusCode, body, r.project)
	}
	return decode(body)
}

func (c *Client) setHeaders(h http.Header, project entities.ID) {
	h.Set("Accept", "application/json")
	h.Set("User-Agent", "instruction-catalog")
	if c.authorization != "" {
		h.Set("Authorization", c.authorization)
	}
	if project != "" {
		h.Set("X-Project-Id", string(project))
	}
}

// withoutURL removes the prefix that [http.Client] adds to an error. The prefix contains
// the query, which may be long, or the redirect location that the backend sent.
func withoutURL(err error) error {
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err
	}
	return err
}
