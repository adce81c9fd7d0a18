package web

import (
	"net/http"
	"net/netip"
	"net/url"
	"strings"

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
	tokens   Tokens
	loopback bool // only this machine can reach the server
	open     string
	next     http.Handler
}

// ServeHTTP implements http.Handler.
func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	user, known := g.tokens.admits(r)
	switch {
	case g.loopback && !IsLoopback(hostname(r.Host)):
		http.Error(w, "this server is reached as localhost only", http.StatusForbidden)
	case !g.from(r):
		http.Error(w, "pages of this origin may not ask this server", http.StatusForbidden)
	case r.URL.Path != g.open && !known:
		w.Header().Set("WWW-Authenticate", `Bearer realm="catalog"`)
		http.Error(w, "send the server's token: Authorization: Bearer TOKEN", http.StatusUnauthorized)
	default:
		g.next.ServeHTTP(w, r.WithContext(rpc.WithCaller(r.Context(), rpc.Caller{User: user})))
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
