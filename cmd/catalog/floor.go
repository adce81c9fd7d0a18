package main

import (
	"github.com/spf13/cobra"

	"instruction-catalog/bench"
)

// floorCommand is what "catalog bench" compares the server to. It is hidden:
// nobody else has a use for it.
func (a *app) floorCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "floor",
		Short:  "Answer each line with as many bytes as it says",
		Hidden: true,
		Args:   arguments(0, 0),
		RunE:   func(*cobra.Command, []string) error { return bench.ServeFloor(a.stdin, a.stdout) },
	}
}
