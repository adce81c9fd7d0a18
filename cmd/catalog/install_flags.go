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

// argument is a flag in an entry, as the words that it takes there.
type argument struct {
	flag     string // its name, "" for what is none
	words    []string
	fallback bool // nobody has given it: for an entry that does not have it
}

// ofServe are flags of serve, given to a command that has them itself or behind
// "--".
type ofServe struct {
	selection
	names []string // in the order of the entry
}

// own returns the flags of serve that install has itself.
func (s selection) own() ofServe {
	names := []string{"dir", "criteria", "toolsets"}
	for _, f := range s.app.toolsetFlags() {
		names = append(names, f.name)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !s.cmd.Flags().Changed(name) })
	return ofServe{s, names}
}

// behind reads the flags that stand behind "--" as serve would.
func (a *app) behind(words []string, pathOf func(string) (string, error)) ([]argument, error) {
	if len(words) == 0 {
		return nil, nil
	}
	serve, err := a.serveFlags()
	if err != nil {
		return nil, err
	}
	cmd := serve.cmd
	if err := cmd.ParseFlags(words); err != nil {
		return nil, fmt.Errorf("behind --: %w", badFlag(cmd, err))
	}
	if rest := cmd.Flags().Args(); len(rest) > 0 {
		return nil, fmt.Errorf("%q behind -- is no flag of serve, which takes nothing else", rest[0])
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

// serveFlags returns the command serve of a program like this one, whose flags stay in
// the order in which they are given.
func (a *app) serveFlags() (selection, error) {
	like := &app{env: a.env, stdout: a.stdout, stderr: a.stderr, toolsets: a.toolsets}
	cmd, _, err := like.rootCommand().Find([]string{"serve"})
	if err != nil {
		return selection{}, err
	}
	cmd.Flags().SortFlags = false
	return selection{like, cmd}, nil
}

// checkServe refuses what a server could not be started with, or not by a host.
func (s ofServe) checkServe() error {
	for _, name := range []string{"http", "token-file", "tls-cert", "tls-key", "insecure"} {
		if slices.Contains(s.names, name) {
			return fmt.Errorf("--%s is for a server that listens, and a host starts one that does not: start it yourself, and install its URL with --http", name)
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

// arguments returns the flags for an entry, with paths as pathOf names them. Nothing
// secret is among them.
func (s ofServe) arguments(pathOf func(string) (string, error)) ([]argument, error) {
	if secret := s.withPassword(); len(secret) > 0 {
		return nil, fmt.Errorf("the password in --%s would be kept in the file: leave the flag out, and have the host set %s", secret[0].name, secret[0].env)
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

// together joins flags from both places, of which each has to be given once.
func together(own, behind []argument) ([]argument, error) {
	for _, b := range behind {
		if slices.ContainsFunc(own, func(o argument) bool { return o.flag == b.flag }) {
			return nil, errors.New("--" + b.flag + " is given twice: leave one of them out")
		}
	}
	return append(own, behind...), nil
}

// merged returns the arguments of an entry that is there, with those that are given
// now in the place of the same flags, or at the end. What else somebody has written
// there stays.
func (a *app) merged(there []string, given []argument) ([]string, error) {
	serve, err := a.serveFlags()
	if err != nil {
		return nil, err
	}
	_ = serve.cmd.ParseFlags(nil) // makes the flags of the program those of the command, too
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

// split takes the arguments of an entry apart. An unknown flag is taken to have the
// word behind it as its value, unless that is a flag.
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

// namesDir reports whether the arguments of an entry have the folder that was given
// now, or none.
func (in installation) namesDir(words []string) bool {
	for _, g := range in.given {
		if g.flag == "dir" {
			return slices.Contains(words, g.words[1])
		}
	}
	return !slices.ContainsFunc(words, func(w string) bool { return w == "--dir" || strings.HasPrefix(w, "--dir=") })
}

// servesDir reports whether a server that is started as was given now reads the folder.
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
