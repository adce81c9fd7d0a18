package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/mcp"
	"instruction-catalog/rpc/stdio"
	"instruction-catalog/toolsets/instructions"
)

// How long a server may take to end once it has been asked to: to hand over its
// last answers, to close its toolsets after that, and to say what it has to say.
const (
	graceAnswers = 4 * time.Second
	graceToolset = 500 * time.Millisecond
	graceLog     = 500 * time.Millisecond
)

func (a *app) serveCommand() *cobra.Command {
	maxLine, tools, allSkills, noWatch := stdio.DefaultMaxLine, string(mcp.DefaultTools), false, false
	memory := rpc.DefaultMemory >> 20
	var listening httpFlags
	var toolsets selection
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer editors and agents on standard input and output",
		Long: `Answers JSON-RPC 2.0 on standard input and output, one message or batch a line.
An editor runs it as a subprocess and calls the methods that "catalog schema"
lists. An agent's host runs the same and speaks MCP: tools, resources, prompts
and skills. Both may share one session.

At the end of input, and on SIGTERM, every request that was read is answered
before it exits. Logs go to standard error.

The catalog is read when a request first needs it. From then on it follows its
files: what is written, renamed or removed is served within moments. A file that
is broken, as while an editor writes it, is served as it was before.

With --require-signed, nothing is served but the catalog that "catalog sign" has
signed with that key, to the letter. Until there is one, every call that needs the
catalog is answered with an error; once there was, an edit that is not signed is not
served, and health/check and the log say so. Other files in the folder of a skill are
covered by no signature and are not served then.

With --http it serves MCP over HTTP instead, at /mcp (Streamable HTTP), with its
health at /healthz, whether the catalog can be served at /readyz, and metrics for
Prometheus at /metrics. Standard input and output are not served then. An address
that other machines can reach needs a token, which every request has to carry but
those to /healthz and /readyz, and either a certificate or --insecure.`,
		Example: `  echo '{"jsonrpc":"2.0","id":1,"method":"instructions/list"}' | catalog serve
  catalog serve --http 127.0.0.1:7777`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if maxLine < 1 {
				return fmt.Errorf("--max-line must be at least 1, not %d", maxLine)
			}
			if memory < 1 {
				return fmt.Errorf("--memory must be at least 1, not %d", memory)
			}
			config, err := listening.config()
			if err != nil {
				return err
			}
			a.logApart()
			a.watch = !noWatch
			if allSkills {
				a.skills = instructions.AllSkills
			}
			registry, err := toolsets.registry(toolsetConfig{overHTTP: listening.wanted(), namedUsers: config.Tokens.Named()})
			if err != nil {
				return err
			}
			registry.Bound(rpc.NewMemory(int64(memory) << 20))
			if _, reviews := registry.Method("prompt/review"); reviews {
				if err := a.checkCriteria(); err != nil {
					return err
				}
			}
			protocol, err := a.protocol(registry, mcp.ToolChoice(tools))
			if err != nil {
				return err
			}
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			if listening.wanted() {
				return running(ctx, registry, func() error { return a.serveHTTP(ctx, &listening, config, registry, protocol) })
			}
			if isTerminal(a.stdin) {
				fmt.Fprintln(a.stderr, `Reading JSON-RPC requests, one a line. Try {"jsonrpc":"2.0","id":1,"method":"health/check"}; end with Ctrl-D.`)
			}
			server := &stdio.Server{Registry: registry, Protocol: protocol, User: toolsets.user(), Log: a.logger(), MaxLine: maxLine, Grace: graceAnswers}
			return running(ctx, registry, func() error { return server.Serve(ctx, a.stdin, a.stdout) })
		},
	}
	cmd.Flags().IntVar(&maxLine, "max-line", maxLine, "refuse longer lines (`bytes`)")
	cmd.Flags().IntVar(&memory, "memory", memory, "hold params being checked and answers under way within so many `megabytes`, beyond twice the catalog")
	cmd.Flags().StringVar(&tools, "tools", tools, "`which` methods agents get as tools: default (what they need), all, none")
	cmd.Flags().BoolVar(&allSkills, "all-skills", false, "serve every instruction as a skill, not only those that agents load as one or whose contentType is skill")
	cmd.Flags().BoolVar(&noWatch, "no-watch", false, "serve the catalog as it is when it is first needed, whatever happens to its files")
	a.required.register(cmd, "require-signed", "serve only what this key has signed")
	a.usage.register(cmd.Flags())
	a.usage.registerSync(cmd.Flags())
	listening.register(cmd)
	toolsets = a.selectToolsets(cmd)
	return cmd
}

func checkTools(tools mcp.ToolChoice) error {
	if !slices.Contains([]mcp.ToolChoice{mcp.DefaultTools, mcp.AllTools, mcp.NoTools}, tools) {
		return fmt.Errorf("--tools is %q: give default, all or none", tools)
	}
	return nil
}

// protocol returns the server that speaks MCP.
func (a *app) protocol(registry *rpc.Registry, tools mcp.ToolChoice) (*mcp.Server, error) {
	if err := checkTools(tools); err != nil {
		return nil, err
	}
	return mcp.New(mcp.Config{
		Registry: registry, Name: "catalog", Title: "Instruction catalog", Version: version,
		Tools: tools, Log: a.logger(),
	})
}
