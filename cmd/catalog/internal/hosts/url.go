package hosts

import (
	"fmt"
	"strings"
)

// urlForm is what an entry looks like that names a server which is there already,
// over HTTP.
type urlForm struct {
	kind   string // the member "type"; "" for none
	member string // that holds the URL; "" where the host takes none
	// token is what the host replaces by an environment variable in a header, with
	// %s for the variable's name; "" where its documents tell of nothing like that.
	token string
	// tokenMember is the member that names the variable, where there is one.
	tokenMember string
}

// TakesURL reports whether an entry of the host may name a server by its URL.
func (h Host) TakesURL() bool { return h.entry.url.member != "" }

// TakesToken reports whether an entry may name the environment variable that
// holds the token of such a server.
func (h Host) TakesToken() bool { return h.entry.url.token != "" || h.entry.url.tokenMember != "" }

// kept are the members of an entry that are ours to keep up to date.
func (f urlForm) kept(s Server) []property {
	var all []property
	if f.kind != "" {
		all = append(all, property{"type", f.kind})
	}
	all = append(all, property{f.member, s.URL})
	switch {
	case s.TokenEnv == "":
	case f.tokenMember != "":
		all = append(all, property{f.tokenMember, s.TokenEnv})
	default:
		all = append(all, property{"headers", []property{{"Authorization", "Bearer " + fmt.Sprintf(f.token, s.TokenEnv)}}})
	}
	return all
}

// tokenEnv is the variable that the header of an entry of ours names.
func (f urlForm) tokenEnv(header string) string {
	before, after, _ := strings.Cut("Bearer "+f.token, "%s")
	name, ours := strings.CutPrefix(header, before)
	name, also := strings.CutSuffix(name, after)
	if f.token == "" || !ours || !also {
		return ""
	}
	return name
}

// refuses says why an entry cannot be made to run a server, or be taken back as
// one; "" if it can.
func (there Server) refuses(s Server) string {
	switch {
	case there.URL != "" && there.Command == "" && there.URL == s.URL:
		return ""
	case there.URL != "" && there.Command == "":
		return isAtURL
	case !there.ours(s.Command):
		return notOurs
	case s.URL != "":
		return isStarted
	}
	return ""
}
