// Catalog keeps a governed catalog of instructions for coding agents in a
// folder and serves it to editors, agents, people and CI.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, _ := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	os.Exit(run(ctx, os.Getenv, os.Stdin, os.Stdout, os.Stderr, os.Args[1:]))
}
