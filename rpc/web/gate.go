package web

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"instruction-catalog/rpc"
)

// IsLoopback reports whether a host is this machine for everybody: localhost,
// or a loopback address. It resolves no names.
func IsLoopback(host string) bool {
	address, err := netip.ParseAddr(host)
	if err != nil {
		return strings.EqualFold(host, "localhost")
	}
	return address.Unmap().IsLoopback()
}

// gate lets only those requests through that may be answered.
type gate struct {
	tokens      Tokens
	loopback    bool // only this machine can reach the server
	connections *connections
	next        http.Handler
}

// open reports whether a path is served to everybody: to those who look after
// the server.
func open(path string) bool { return path == healthPath || path == readyPath }

// ServeHTTP implements http.Handler.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user, known := g.tokens.admits(r)
	if len(r.TransferEncoding) > 0 {
		// There may have been a Content-Length, too, of which package http says nothing:
		// then what follows on the connection may be a part of this body to others.
		w.Header().Set("Connection", "close")
	}
	switch {
	case g.loopback && !IsLoopback(hostname(r.Host)):
		refuse(w, http.StatusForbidden, "this server is reached as localhost only")
	case !g.from(r):
		refuse(w, http.StatusForbidden, "pages of this origin may not ask this server")
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

// refuse answers a request that is not allowed.
func refuse(w http.ResponseWriter, status int, why string) {
	hurry(w, 0)
	http.Error(w, why, status)
}

// hurry limits how long an unauthenticated client may take for the answer and for the rest
// of its request, and closes the connection after it.
func hurry(w http.ResponseWriter, reading time.Duration) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(reading)) // what has no deadlines is no connection
	w.Header().Set("Connection", "close")
	if paced, ok := w.(*pacedWriter); ok {
		paced.left = unauthenticatedTime
	}
}

// from reports whether a request comes from where it may: from a program, which
// names no origin, from a page of this server, or, on this machine, from a page
// of this machine. A page elsewhere whose name was made to lead here names its
// own origin and host.
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

// hostname is a host without its port.
func hostname(host string) string { return (&url.URL{Host: host}).Hostname() }
