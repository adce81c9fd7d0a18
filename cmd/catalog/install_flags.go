package main

import (
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"instruction-catalog/cmd/catalog/internal/hosts"
	"instruction-catalog/rpc/mcp"
)

// argument is a flag among the arguments of an entry, or a word that is not a flag.
type argument struct {
	flag     string // name of the flag; "" for a word that is not a flag
	words    []string
	fallback bool // a default: added only if the entry does not have the flag
}

// ofServe holds flags of serve that were given to another command, as its own flags or
// after "--".
type ofServe struct {
	selection
	names []string // in the order of the entry
}

// own returns the flags of serve that the install command shares.
func (s selection) own() ofServe {
	names := []string{"dir", "criteria", "toolsets"}
	for _, f := range s.app.toolsetFlags() {
		names = append(names, f.name)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !s.cmd.Flags().Changed(name) })
	return ofServe{s, names}
}

// parseServeFlags parses the flags after "--" as serve would.
func (a *app) parseServeFlags(words []string, pathOf func(string) (string, error)) ([]argument, error) {
	if len(words) == 0 {
		return nil, nil
	}
	serve, err := a.serveFlags()
	if err != nil {
		return nil, err
	}
	cmd := serve.cmd
	if err := cmd.ParseFlags(words); err != nil {
		return nil, fmt.Errorf("after --: %w", badFlag(cmd, err))
	}
	if rest := cmd.Flags().Args(); len(rest) > 0 {
		return nil, fmt.Errorf("%q after -- is not a flag of serve, which takes only flags", rest[0])
	}
	given := ofServe{selection: serve}
	cmd.Flags().Visit(func(f *pflag.Flag) { given.names = append(given.names, f.Name) })
	if err := given.checkServe(); err != nil {
		return nil, err
	}
	if slices.Contains(given.names, "dir") {
		a.dir = serve.app.dir
	}
	return given.arguments(pathOf)
}

// serveFlags returns the serve command of a new app. Its flags keep the order in which
// they are given.
func (a *app) serveFlags() (selection, error) {
	like := &app{env: a.env, stdout: a.stdout, stderr: a.stderr, toolsets: a.toolsets}
	cmd, _, err := like.rootCommand().Find([]string{"serve"})
	if err != nil {
		return selection{}, err
	}
	cmd.Flags().SortFlags = false
	return selection{like, cmd}, nil
}

// checkServe returns an error for flags with which a server could not start, or which
// make no sense for a server that a host starts.
func (s ofServe) checkServe() error {
	for _, name := range []string{"http", "token-file", "tls-cert", "tls-key", "insecure"} {
		if slices.Contains(s.names, name) {
			return fmt.Errorf("--%s is for a server that listens, but hosts start one on standard input: start the server yourself, and install its URL with --http", name)
		}
	}
	for _, name := range s.names {
		if s.cmd.Flags().Lookup(name).Value.String() == "" {
			return emptyFlag(name)
		}
	}
	if err := checkTools(mcp.ToolChoice(s.cmd.Flags().Lookup("tools").Value.String())); err != nil {
		return err
	}
	_, err := s.open(toolsetConfig{})
	return err
}

// arguments returns the flags for an entry, with paths converted by pathOf. It returns
// an error if a flag holds a secret.
func (s ofServe) arguments(pathOf func(string) (string, error)) ([]argument, error) {
	if secret := s.withPassword(); len(secret) > 0 {
		return nil, fmt.Errorf("the password in --%s would be stored in the file: leave the flag out, and have the host set %s", secret[0].name, secret[0].env)
	}
	var all []argument
	for _, name := range s.names {
		f := s.cmd.Flags().Lookup(name)
		value, err := s.rebased(name, f.Value.String(), pathOf)
		if name == "dir" || name == "criteria" || name == "usage" && value != inMemory || name == "require-signed" && !isPublicKey(value) {
			value, err = pathOf(value)
		}
		if err != nil {
			return nil, err
		}
		words := []string{"--" + name, value}
		if f.NoOptDefVal != "" {
			words = []string{"--" + name + "=" + value}
		}
		all = append(all, argument{flag: name, words: words})
	}
	return all, nil
}

// together joins the flags before and after "--". It returns an error if a flag is
// given in both places.
func together(own, passthrough []argument) ([]argument, error) {
	for _, b := range passthrough {
		if slices.ContainsFunc(own, func(o argument) bool { return o.flag == b.flag }) {
			return nil, errors.New("--" + b.flag + " is given twice: leave one of them out")
		}
	}
	return append(own, passthrough...), nil
}

// merged returns there, the arguments of an existing entry, with the given flags merged
// in. A given flag replaces the same flag unless it is a fallback; a new flag is
// appended. All other arguments remain.
func (a *app) merged(there []string, given []argument) ([]string, error) {
	serve, err := a.serveFlags()
	if err != nil {
		return nil, err
	}
	_ = serve.cmd.ParseFlags(nil) // adds the persistent flags of the root command
	all := split(there, serve.cmd.Flags())
	for _, g := range given {
		at := slices.IndexFunc(all, func(a argument) bool { return a.flag == g.flag })
		switch {
		case at < 0:
			all = append(all, g)
		case !g.fallback:
			all = slices.DeleteFunc(all, func(a argument) bool { return a.flag == g.flag })
			all = slices.Insert(all, at, g)
		}
	}
	return wordsOf(all), nil
}

// split splits the arguments of an entry into flags and other words. It assumes that
// the word after an unknown flag is its value, unless that word begins with "-".
func split(words []string, known *pflag.FlagSet) []argument {
	var all []argument
	for i := 0; i < len(words); i++ {
		long, isFlag := strings.CutPrefix(words[i], "--")
		name, _, hasValue := strings.Cut(long, "=")
		if !isFlag {
			all = append(all, argument{words: words[i : i+1]})
			continue
		}
		one := argument{flag: name, words: words[i : i+1]}
		f := known.Lookup(name)
		takesNext := !hasValue && i+1 < len(words) &&
			(f != nil && f.NoOptDefVal == "" || f == nil && !strings.HasPrefix(words[i+1], "-"))
		if takesNext {
			one.words = words[i : i+2]
			i++
		}
		all = append(all, one)
	}
	return all
}

// namesDir reports whether the arguments of an entry contain the folder of the given
// --dir, or no --dir if none is given.
func (in installation) namesDir(words []string) bool {
	for _, g := range in.given {
		if g.flag == "dir" {
			return slices.Contains(words, g.words[1])
		}
	}
	return !slices.ContainsFunc(words, func(w string) bool { return w == "--dir" || strings.HasPrefix(w, "--dir=") })
}

// servesDir reports whether a server with the given flags reads the catalog's folder.
func (in installation) servesDir() bool {
	return !slices.ContainsFunc(in.given, func(a argument) bool {
		return a.flag == "toolsets" && !strings.Contains(a.words[1], instructionsName)
	})
}

func wordsOf(arguments []argument) []string {
	var words []string
	for _, a := range arguments {
		words = append(words, a.words...)
	}
	return words
}

// remote returns the [hosts.Server] for an already running server. It returns an error
// if the configuration would contain a secret.
func (in *installation) remote(own ofServe, passthrough []string) (hosts.Server, error) {
	switch {
	case in.url == "":
		return hosts.Server{}, errors.New("--token-env requires --http: give the URL of the server, too")
	case len(own.names) > 0:
		return hosts.Server{}, fmt.Errorf("--%s is for a server that the host starts, and --http for a running one: leave one of them out", own.names[0])
	case len(passthrough) > 0:
		return hosts.Server{}, errors.New("the flags after -- are for a server that the host starts, and --http for a running one: leave one of them out")
	case !in.host.TakesURL():
		return hosts.Server{}, fmt.Errorf("%s does not accept a URL in its file: add the server in its settings", in.host.Title)
	case in.tokenEnv != "" && !in.host.TakesToken():
		return hosts.Server{}, fmt.Errorf("%s does not document variables in headers: leave --token-env out, and give it the token yourself", in.host.Title)
	case in.tokenEnv != "" && !variableName.MatchString(in.tokenEnv):
		return hosts.Server{}, errors.New("--token-env is the name of an environment variable, of letters, digits and _, and not the token itself")
	}
	return hosts.Server{URL: in.url, TokenEnv: in.tokenEnv}, checkURL(in.url)
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// checkURL returns an error if address is not a server's URL or contains a secret.
func checkURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return errors.New("--http is not the URL of a server: give one such as http://127.0.0.1:7777/mcp")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return errors.New("the URL of --http has more than an address, which would be stored in the file: name the variable that holds the token with --token-env")
	case u.Path == "" || u.Path == "/":
		return fmt.Errorf("the URL of --http has no path: MCP is at %s", u.JoinPath("mcp"))
	}
	return nil
}
