package web

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"instruction-catalog/rpc"
)

// IsLoopback reports whether a host is localhost or a loopback address. It does not resolve
// names.
func IsLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	if err != nil {
		return strings.EqualFold(host, "localhost")
	}
	return address.Unmap().IsLoopback()
}

// gate passes only allowed requests on to next.
type gate struct {
	tokens      Tokens
	loopback    bool // the server listens on a loopback address
	connections *connections
	next        http.Handler
}

// open reports whether a path is served without a token, for monitoring.
func open(path string) bool { return path == healthPath || path == readyPath }

// ServeHTTP implements http.Handler.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user, known := g.tokens.admits(r)
	if len(r.TransferEncoding) > 0 {
		// The request may also have had a Content-Length, which package http does not
		// report. A proxy may then treat what follows on the connection as part of this
		// body, so the connection is closed.
		w.Header().Set("Connection", "close")
	}
	switch {
	case g.loopback && !IsLoopback(hostname(r.Host)):
		refuse(w, http.StatusForbidden, "this server accepts only the host localhost")
	case !g.from(r):
		refuse(w, http.StatusForbidden, "pages of this origin may not call this server")
	case !known && !open(r.URL.Path):
		w.Header().Set("WWW-Authenticate", `Bearer realm="catalog"`)
		refuse(w, http.StatusUnauthorized, "send the server's token: Authorization: Bearer TOKEN")
	case !known:
		hurry(w, unauthenticatedTime)
		g.next.ServeHTTP(w, r)
	case !g.connections.admit(r.Context()) && r.URL.Path == MCPPath:
		w.Header().Set("Retry-After", "10")
		refuse(w, http.StatusServiceUnavailable, "every connection is in use: try again later")
	default:
		g.next.ServeHTTP(w, r.WithContext(rpc.WithCaller(r.Context(), rpc.Caller{User: user})))
	}
}

// refuse answers a request that is not allowed, and closes the connection.
func refuse(w http.ResponseWriter, status int, why string) {
	hurry(w, 0)
	http.Error(w, why, status)
}

// hurry gives the client the duration reading to send the rest of a request, and
// unauthenticatedTime to receive the answer. The connection is closed after the answer.
func hurry(w http.ResponseWriter, reading time.Duration) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(reading)) // fails only if there is no connection
	w.Header().Set("Connection", "close")
	if paced, ok := w.(*pacedWriter); ok {
		paced.left = unauthenticatedTime
	}
}

// from reports whether the origin of a request is allowed. Programs send no origin. Pages
// are allowed if they are from this server or, on a loopback address, from any server on
// this machine. A page whose host name was rebound to this server's address sends that name
// as origin and host and passes; on a loopback address, ServeHTTP rejects its host.
func (g *gate) from(r *http.Request) bool {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		return true
	}
	origin, err := url.Parse(origins[0])
	if err != nil || len(origins) > 1 || origin.Scheme != "http" && origin.Scheme != "https" {
		return false
	}
	return origin.Host != "" && strings.EqualFold(origin.Host, r.Host) || g.loopback && IsLoopback(origin.Hostname())
}

// hostname returns a host without its port.
func hostname(host string) string { return (&url.URL{Host: host}).Hostname() }
