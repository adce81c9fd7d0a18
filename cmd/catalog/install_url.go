package main

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"

	"instruction-catalog/cmd/catalog/internal/hosts"
)

// remote is a server that is there already. Nothing secret is written down with it.
func (in *installation) remote(own ofServe, behind []string) (hosts.Server, error) {
	switch {
	case in.url == "":
		return hosts.Server{}, errors.New("--token-env is for --http: say where the server is, too")
	case len(own.names) > 0:
		return hosts.Server{}, fmt.Errorf("--%s is for a server that the host starts, and --http for one that runs already: leave one of them out", own.names[0])
	case len(behind) > 0:
		return hosts.Server{}, errors.New("the flags behind -- are for a server that the host starts, and --http for one that runs already: leave one of them out")
	case !in.host.TakesURL():
		return hosts.Server{}, fmt.Errorf("%s takes no URL in its file: add the server in its settings", in.host.Title)
	case in.tokenEnv != "" && !in.host.TakesToken():
		return hosts.Server{}, fmt.Errorf("it is not documented that %s replaces variables in a header: leave --token-env out, and give it the token yourself", in.host.Title)
	case in.tokenEnv != "" && !variableName.MatchString(in.tokenEnv):
		return hosts.Server{}, errors.New("--token-env is the name of an environment variable, of letters, digits and _, and not the token itself")
	}
	return hosts.Server{URL: in.url, TokenEnv: in.tokenEnv}, checkURL(in.url)
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// checkURL refuses what is no address of a server, or has a secret in it.
func checkURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("--http is no URL of a server: give one such as http://127.0.0.1:7777/mcp")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("the URL of --http has more than an address, which would be kept in the file: name the variable that holds the token with --token-env")
	case u.Path == "" || u.Path == "/":
		return fmt.Errorf("the URL of --http has no path: MCP is at %s", u.JoinPath("mcp"))
	}
	return nil
}
