package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"instruction-catalog/rpc/stdio"
)

// grace is how long the server may take to hand over its last answers once it
// has been asked to end.
const grace = 5 * time.Second

func (a *app) serveCommand() *cobra.Command {
	maxLine := stdio.DefaultMaxLine
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Answer JSON-RPC 2.0 requests on standard input and output",
		Long: `Answers JSON-RPC 2.0 on standard input and output, one message or batch a line.
An editor runs it as a subprocess. At the end of input, and on SIGTERM, every
request that was read is answered before it exits. Logs go to standard error.

The catalog is read when a request first needs it, and stays as it was then: to
serve what was changed since, start anew. integrity/verify tells what changed.

"catalog schema" lists the methods.`,
		Example: `  echo '{"jsonrpc":"2.0","id":1,"method":"instructions/list"}' | catalog serve`,
		Args:    arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if maxLine < 1 {
				return fmt.Errorf("--max-line must be at least 1, not %d", maxLine)
			}
			if err := a.checkCriteria(); err != nil {
				return err
			}
			registry, err := a.registry()
			if err != nil {
				return err
			}
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			if isTerminal(a.stdin) {
				fmt.Fprintln(a.stderr, `Reading JSON-RPC requests, one a line. Try {"jsonrpc":"2.0","id":1,"method":"health/check"}; end with Ctrl-D.`)
			}
			server := &stdio.Server{Registry: registry, Log: a.logger(), MaxLine: maxLine, Grace: grace}
			return server.Serve(ctx, a.stdin, a.stdout)
		},
	}
	cmd.Flags().IntVar(&maxLine, "max-line", maxLine, "refuse longer lines (`bytes`)")
	return cmd
}
