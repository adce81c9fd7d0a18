package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/mcp"
	"instruction-catalog/rpc/stdio"
	"instruction-catalog/rpc/web"
	"instruction-catalog/toolsets/instructions"
)

// Time limits for the shutdown of a server: to send the last answers, then to close the
// toolsets, then to write the rest of the log.
const (
	graceAnswers = 4 * time.Second
	graceToolset = 500 * time.Millisecond
	graceLog     = 500 * time.Millisecond
)

// maxMemory is the maximum of --memory, in megabytes. No machine has that much.
const maxMemory = 1 << 24

// serving holds the flags of serve that are not in [app].
type serving struct {
	maxLine, memory    int // in bytes, in megabytes
	tools              string
	allSkills, noWatch bool
	http               httpFlags
	toolsets           selection
}

func (a *app) serveCommand() *cobra.Command {
	s := serving{maxLine: stdio.DefaultMaxLine, memory: rpc.DefaultMemory >> 20, tools: string(mcp.DefaultTools)}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer editors and agents on standard input and output",
		Long:  aboutServe,
		Example: `  echo '{"jsonrpc":"2.0","id":1,"method":"instructions/list"}' | catalog serve
  catalog serve --http 127.0.0.1:7777`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.serve(cmd.Context(), s) },
	}
	flags := cmd.Flags()
	flags.IntVar(&s.maxLine, "max-line", s.maxLine, "refuse longer lines (`bytes`)")
	flags.IntVar(&s.memory, "memory", s.memory, "limit the memory of params and answers to this many `megabytes`, in addition to twice the catalog")
	flags.StringVar(&s.tools, "tools", s.tools, "`which` methods agents get as tools: default, lean (the same without the schemas of results), all or none")
	flags.BoolVar(&s.allSkills, "all-skills", false, "serve every instruction as a skill, not only those that agents load as one or whose contentType is skill")
	flags.BoolVar(&s.noWatch, "no-watch", false, "serve the catalog as first loaded, and ignore changes of its files")
	a.required.register(cmd, "require-signed", "serve only what this key has signed")
	a.usage.register(flags)
	a.usage.registerSync(flags)
	s.http.register(cmd)
	s.toolsets = a.selectToolsets(cmd)
	return cmd
}

const aboutServe = `Answers JSON-RPC 2.0 on standard input and output, one message or batch per line.
An editor runs it as a subprocess and calls the methods that "catalog schema"
lists. An agent's host runs the same command and speaks MCP: tools, resources,
prompts and skills. Both may share one session.

At the end of input, and on SIGTERM, it answers every request that was read before it
exits. Logs go to standard error.

The catalog is loaded when a request first needs it. After that, the server reloads
files within moments after they change. While a file is broken, for example because an
editor is writing it, its previous version is served.

With --require-signed, the server serves only exactly what "catalog sign" has signed
with that key. Until there is a signed catalog, every call that needs the catalog
returns an error. After that, an unsigned edit is not served; health/check and the log
report it. Other files in the folder of a skill are not covered by the signature and
are not served.

With --http it serves MCP over HTTP instead, at /mcp (Streamable HTTP), with
/healthz for its health, /readyz for whether the catalog can be served, and /metrics
for Prometheus. Standard input and output are not served. An address that other
machines can reach needs a token, which every request except those to /healthz and
/readyz must have, and either a certificate or --insecure.`

// serve answers requests until the input ends or a signal stops the process.
func (a *app) serve(ctx context.Context, s serving) error {
	if s.maxLine < 1 {
		return fmt.Errorf("--max-line must be at least 1, not %d", s.maxLine)
	}
	if s.memory < 1 || s.memory > maxMemory {
		return fmt.Errorf("--memory must be between 1 and %d megabytes, not %d", maxMemory, s.memory)
	}
	config, err := s.http.config()
	if err != nil {
		return err
	}
	a.logApart()
	registry, err := a.served(s, config)
	if err != nil {
		return err
	}
	protocol, err := a.protocol(registry, mcp.ToolChoice(s.tools))
	if err != nil {
		return err
	}
	ctx, stop := untilSignal(ctx)
	defer stop()
	if s.http.wanted() {
		return running(ctx, registry, func() error { return a.serveHTTP(ctx, &s.http, config, registry, protocol) })
	}
	if isTerminal(a.stdin) {
		fmt.Fprintln(a.stderr, `Reading JSON-RPC requests, one a line. Try {"jsonrpc":"2.0","id":1,"method":"health/check"}; end with Ctrl-D.`)
	}
	server := &stdio.Server{Registry: registry, Protocol: protocol, User: s.toolsets.user(), Log: a.logger(), MaxLine: s.maxLine, Grace: graceAnswers}
	return running(ctx, registry, func() error { return server.Serve(ctx, a.stdin, a.stdout) })
}

// served returns the registry of a server. It checks the criteria if the server can
// review prompts.
func (a *app) served(s serving, config web.Config) (*rpc.Registry, error) {
	a.watch = !s.noWatch
	if s.allSkills {
		a.skills = instructions.AllSkills
	}
	registry, err := s.toolsets.registry(toolsetConfig{overHTTP: s.http.wanted(), namedUsers: config.Tokens.Named()})
	if err != nil {
		return nil, err
	}
	registry.Bound(rpc.NewMemory(int64(s.memory) << 20))
	if _, reviews := registry.Method("prompt/review"); reviews {
		err = a.checkCriteria()
	}
	return registry, err
}

func checkTools(tools mcp.ToolChoice) error {
	if !slices.Contains([]mcp.ToolChoice{mcp.DefaultTools, mcp.LeanTools, mcp.AllTools, mcp.NoTools}, tools) {
		return fmt.Errorf("--tools is %q: give default, lean, all or none", tools)
	}
	return nil
}

// protocol returns the MCP server for a registry.
func (a *app) protocol(registry *rpc.Registry, tools mcp.ToolChoice) (*mcp.Server, error) {
	if err := checkTools(tools); err != nil {
		return nil, err
	}
	return mcp.New(mcp.Config{
		Registry: registry, Name: "catalog", Title: "Instruction catalog", Version: version,
		Tools: tools, Log: a.logger(),
	})
}
