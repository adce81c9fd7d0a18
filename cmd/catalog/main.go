// Catalog keeps a governed catalog of instructions for coding agents in a folder, and
// serves it to editors, agents, people and CI.
package main

import (
	"context"
	"os"
)

func main() {
	os.Exit(run(context.Background(), os.Getenv, os.Stdin, os.Stdout, os.Stderr, os.Args[1:]))
}
