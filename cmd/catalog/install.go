package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"instruction-catalog/cmd/catalog/internal/hosts"
)

func (a *app) installCommand() *cobra.Command {
	var in installation
	var toolsets selection
	cmd := &cobra.Command{
		Use:   "install [HOST] [-- FLAGS OF SERVE]",
		Short: "Have an MCP host start this catalog",
		Long:  aboutInstall,
		Example: `  catalog install vscode                   for this project, in .vscode/mcp.json
  catalog install cursor --global          for all projects of this user
  catalog install zed -- --tools all       with flags of serve
  catalog install codex --http URL         connect it to a running server
  catalog install codex --print            show what to add, and change nothing`,
		Args: func(cmd *cobra.Command, args []string) error {
			own, _ := cutPassthrough(cmd, args)
			return arguments(0, 1)(cmd, own)
		},
		ValidArgsFunction: completeHosts,
		RunE: func(cmd *cobra.Command, args []string) error {
			own, passthrough := cutPassthrough(cmd, args)
			switch {
			case len(own) == 0 && len(passthrough) == 0:
				return a.listHosts()
			case len(own) == 0:
				return seeHelp(cmd, errors.New("the flags after -- are for a host's entry: name a host before them"))
			}
			return a.installAt(in, own[0], toolsets, passthrough)
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&in.printOnly, "print", false, "print the configuration, and change nothing")
	flags.BoolVar(&in.global, "global", false, "for all projects of this user")
	flags.StringVar(&in.url, "http", "", "connect the host to the server at this `URL` instead of starting one")
	flags.StringVar(&in.tokenEnv, "token-env", "", "with --http: the environment `variable` that holds the token")
	toolsets = a.selectToolsets(cmd)
	return cmd
}

const aboutInstall = `Adds an entry to the configuration of an MCP host, so that it starts
"catalog serve". Without HOST, lists the hosts and the files that they read.

The project's file is the one in the current folder. It is meant to be shared: it
names the catalog only if --dir is given, and exactly as given, so use a path relative
to the project. (Cursor may start the server in another folder, and Antigravity and
Junie do not document where they start it: for these the catalog is always named, for
the latter two by its absolute path.) A link that leads out of the project is refused.

With --global, the entry names the folder of --dir, or ./instructions, by its
absolute path. The command is "catalog" if that name on the PATH is this program,
else the path of this program. The host starts it when it next reads its
configuration; most hosts ask before they start a project's server. Settings from the
environment are not written into the entry.

Flags that the entry already has stay, unless they are given again.

With --http, the entry names the URL of a server that was started with
"catalog serve --http". Its token is not written into the file: --token-env names the
environment variable that holds it, for hosts that expand variables (Claude Code,
Cursor, Codex, Gemini CLI, OpenCode, Windsurf).

Nothing else in the file changes: other servers, comments and layout stay, byte
for byte. The old content is saved beside it as NAME.bak, or NAME.bak.1 and so on if
that name is taken. An entry that this program wrote before is updated. A file that
cannot be parsed is not changed. "catalog uninstall" removes the entry.`

// installAt adds this program to the named host's configuration, or with --print prints
// the configuration.
func (a *app) installAt(in installation, name string, toolsets selection, passthrough []string) error {
	if err := a.locate(&in, name); err != nil {
		return err
	}
	server, err := a.server(&in, toolsets, passthrough)
	if err != nil {
		return err
	}
	if in.printOnly {
		fmt.Fprintln(a.stderr, printable("This belongs in "+in.path+":"))
		_, err := a.stdout.Write(in.host.File(server))
		return err
	}
	return a.install(in, server)
}

// cutPassthrough splits the arguments at "--".
func cutPassthrough(cmd *cobra.Command, args []string) (own, passthrough []string) {
	if at := cmd.ArgsLenAtDash(); at >= 0 {
		return args[:at], args[at:]
	}
	return args, nil
}

// installation describes the configuration to change.
type installation struct {
	host      hosts.Host
	global    bool // for all projects of the user, not only the one in the current folder
	printOnly bool
	path      string
	url       string     // of an already running server
	tokenEnv  string     // environment variable with the token of that server
	given     []argument // flags of a server that the host starts
}

// installed is the outcome, as printed by --json.
type installed struct {
	Host    string  `json:"host"`
	Path    string  `json:"path"`
	Changed bool    `json:"changed"`
	Backup  *string `json:"backup"` // file with the previous content
	done    string  // outcome as a sentence
}

// locate finds the configuration file of a host.
func (a *app) locate(in *installation, name string) error {
	host, err := hosts.Find(name)
	if err != nil {
		return didYouMean(err, name, hostNames())
	}
	in.host = host
	if host.Settings != "" && in.printOnly {
		in.path = host.Settings
		return nil
	}
	files := host.ProjectFiles(a.machine())
	if in.global || host.Settings != "" {
		files, err = host.UserFiles(a.machine())
	} else if files == nil {
		err = fmt.Errorf("%s has one configuration for all projects: add --global", host.Title)
	}
	if err != nil {
		return err
	}
	in.path = existing(files)
	return nil
}

// server returns the [hosts.Server] to install: how the host starts this program, or
// the URL of a running server.
func (a *app) server(in *installation, toolsets selection, passthrough []string) (hosts.Server, error) {
	if toolsets.cmd.Flags().Changed("http") || in.tokenEnv != "" {
		return in.remote(toolsets.own(), passthrough)
	}
	command, err := a.command(*in)
	if err != nil {
		return hosts.Server{}, err
	}
	if _, err := toolsets.open(toolsetConfig{}); err != nil {
		return hosts.Server{}, err
	}
	own, err := toolsets.own().arguments(in.pathOf)
	if err != nil {
		return hosts.Server{}, err
	}
	further, err := a.parseServeFlags(passthrough, in.pathOf)
	if err != nil {
		return hosts.Server{}, err
	}
	if in.given, err = together(own, further); err != nil {
		return hosts.Server{}, err
	}
	if err := in.nameDir(a.dir); err != nil {
		return hosts.Server{}, err
	}
	return in.start(command, append([]string{"serve"}, wordsOf(in.given)...))
}

// nameDir adds --dir to the flags if the server starts in another folder and --dir is
// not among them.
func (in *installation) nameDir(dir string) error {
	elsewhere := in.global || in.host.Workspace != "" || in.host.Elsewhere
	if !elsewhere || slices.ContainsFunc(in.given, func(a argument) bool { return a.flag == "dir" }) {
		return nil
	}
	path, err := in.pathOf(dir)
	in.given = slices.Insert(in.given, 0, argument{flag: "dir", words: []string{"--dir", path}, fallback: true})
	return err
}

// start returns the [hosts.Server] for a command that the host starts. It fails if the
// command or an argument is not valid UTF-8.
func (in *installation) start(command string, args []string) (hosts.Server, error) {
	for _, text := range append(args, command) {
		if !utf8.ValidString(text) {
			return hosts.Server{}, fmt.Errorf("%q is not valid UTF-8 and cannot be written into a configuration", text)
		}
	}
	return hosts.Server{Command: command, Args: args}, nil
}

// pathOf converts a path, which may be relative to the current folder, to the form that
// the entry needs. Paths in a project use slashes, because a project is shared with
// other systems.
func (in installation) pathOf(path string) (string, error) {
	switch {
	case in.global, in.host.Elsewhere:
		return filepath.Abs(path)
	case filepath.IsAbs(path):
		return path, nil
	case in.host.Workspace != "":
		return in.host.Workspace + "/" + filepath.ToSlash(filepath.Clean(path)), nil
	}
	return filepath.ToSlash(path), nil
}

// command returns the command with which the host starts this program: its name if that
// is on the PATH and the host sees the PATH, otherwise its path.
func (a *app) command(in installation) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("the path of this program is unknown: %w", err)
	}
	switch found := a.onPath(); {
	case !sameFile(found, self):
		return self, nil
	case in.host.NeedsPath:
		return found, nil
	}
	return hosts.ServerName, nil
}

// onPath returns the path of the first program called "catalog" on the PATH, or "" if
// the PATH has none.
func (a *app) onPath() string {
	name := hosts.ServerName
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(a.env("PATH")) {
		file := filepath.Join(dir, name)
		info, err := os.Stat(file)
		executable := err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
		if filepath.IsAbs(dir) && executable {
			return file
		}
	}
	return ""
}

func sameFile(a, b string) bool {
	first, err := os.Stat(a)
	if err != nil {
		return false
	}
	second, err := os.Stat(b)
	return err == nil && os.SameFile(first, second)
}

func (a *app) install(in installation, server hosts.Server) error {
	return a.edit(in, func(at place, file *config, result *installed) (err error) {
		if file == nil {
			result.Changed, result.done = true, "wrote "+in.path
			err = at.create(in.host.File(server))
		} else if server, err = a.withFlagsOf(file.text, in, server); err == nil {
			err = result.add(in.host, *file, server)
		}
		if err == nil {
			a.remark(in, server)
		}
		return err
	})
}

// edit edits the configuration file of a host by calling the function with, and reports
// the outcome. The *config is nil if the file does not exist.
func (a *app) edit(in installation, with func(place, *config, *installed) error) error {
	at, err := findPlace(in.path, in.global)
	if err != nil {
		return err
	}
	result := installed{Host: in.host.Name, Path: in.path}
	file, err := at.read()
	defer file.close()
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = with(at, nil, &result)
	case err == nil:
		err = with(at, &file, &result)
	}
	if err != nil {
		return err
	}
	return a.report(result, "%s", result.done)
}

// withFlagsOf returns server with its given flags merged into those of the existing
// entry in text.
func (a *app) withFlagsOf(text []byte, in installation, server hosts.Server) (hosts.Server, error) {
	there, ok := in.host.Entry(text)
	if !ok || server.URL != "" || len(there.Args) == 0 || there.Args[0] != "serve" {
		return server, nil
	}
	args, err := a.merged(there.Args, in.given)
	server.Args = args
	return server, err
}

// add adds our entry to an existing file.
func (r *installed) add(host hosts.Host, file config, server hosts.Server) error {
	text, err := host.Add(file.text, server)
	if err != nil {
		return file.refused(err)
	}
	if string(text) == string(file.text) {
		r.done = "already there: " + file.path
		return nil
	}
	return r.rewrite(file, text)
}

// rewrite replaces a file and records its backup in the result.
func (r *installed) rewrite(file config, text []byte) error {
	backup, err := file.rewrite(text)
	if err != nil {
		return err
	}
	r.Changed, r.Backup = true, &backup
	r.done = "changed " + file.path + "; the old content is in " + backup
	return nil
}

// remark prints notes about what may prevent the host from starting the server.
func (a *app) remark(in installation, server hosts.Server) {
	if server.URL != "" {
		return
	}
	if in.host.Elsewhere && !in.global {
		fmt.Fprintln(a.stderr, "Note: it is not documented where "+in.host.Title+" starts servers, so the file names the catalog by its absolute path, which others may not have")
	}
	if !in.global && server.Command != hosts.ServerName {
		fmt.Fprintln(a.stderr, oneLine("Note: \"catalog\" on the PATH is not this program, so the file names it by its path, "+
			"which others may not have: "+server.Command))
	}
	if _, err := os.Stat(a.dir); errors.Is(err, fs.ErrNotExist) && in.namesDir(server.Args) && in.servesDir() {
		fmt.Fprintln(a.stderr, oneLine(`Note: there is no folder `+a.dir+` yet: "catalog init" makes one, and with --dir . the agents' files of a repository are served`))
	}
}
