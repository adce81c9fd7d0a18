package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/rpc/stdio"
)

func (a *app) diffCommand() *cobra.Command {
	var clientHash, known string
	cmd := &cobra.Command{
		Use:   "diff",
		Short: "Show what a client must change to have the current catalog",
		Long: `Shows what a client must change to have the current catalog. --known is the client's
copy: the output of "catalog list --json", in a file or on standard input ("-"), or a
JSON array of {"id": …, "sourceHash": …}. Each element may also have "entryHash", or
only that; it detects changes outside the body, too. Other members are ignored.

Exits 1 if there is something to change.`,
		Example: `  catalog list --json --fields entryHash > known.json
  catalog diff --known known.json`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			params := map[string]any{}
			if clientHash != "" {
				params["clientHash"] = clientHash
			}
			if known != "" {
				entries, err := a.readKnown(known)
				if err != nil {
					return err
				}
				params["known"] = entries
			}
			changes, err := show(cmd.Context(), a, "instructions/diff", params, a.printDiff)
			if err == nil && !changes.UpToDate && changes.size() > 0 {
				return errFindings
			}
			return err
		},
	}
	cmd.Flags().StringVar(&clientHash, "client-hash", "", "the catalog hash that the client has")
	cmd.Flags().StringVar(&known, "known", "", "what the client knows: a JSON `file`, or -")
	return cmd
}

func (a *app) readKnown(path string) ([]catalog.Known, error) {
	data, err := a.readInput(path)
	if err != nil {
		return nil, err
	}
	known := []catalog.Known{}
	if err := json.Unmarshal(data, &known); err == nil {
		return known, nil
	}
	var listed struct{ Items []catalog.Known }
	if err := json.Unmarshal(data, &listed); err != nil || listed.Items == nil {
		return nil, fmt.Errorf("%s: it must be what \"catalog list --json\" printed, or a JSON array of {\"id\": …, \"sourceHash\": …}, both strings", path)
	}
	return listed.Items, nil
}

// maxInput is the maximum size, in bytes, of a file or of standard input that a command
// reads. It equals the server's limit for a line.
const maxInput = stdio.DefaultMaxLine

// readInput reads a file, or standard input for "-". The file may be a pipe, as for
// <(…) in a shell.
func (a *app) readInput(path string) ([]byte, error) {
	input := a.stdin
	if path == "-" && isTerminal(a.stdin) {
		a.tell("reading standard input: end it with Ctrl-D")
	}
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		input = f
	}
	data, err := files.ReadAll(input, maxInput)
	if errors.Is(err, files.ErrTooLarge) {
		return nil, fmt.Errorf("%s: the input has more than %d bytes, and nothing was done: give less", path, maxInput)
	}
	return data, err
}

type diff struct {
	UpToDate                bool
	Hash                    catalog.Fingerprint
	Changed, Added, Updated []catalog.Instruction
	Removed                 []catalog.ID
}

// size returns the number of changed, added, updated and removed entries.
func (d *diff) size() int { return len(d.Changed) + len(d.Added) + len(d.Updated) + len(d.Removed) }

func (a *app) printDiff(d diff) {
	if d.UpToDate {
		a.tell("up to date, catalog %.12s", d.Hash)
		return
	}
	a.printMarked("+", append(d.Changed, d.Added...))
	a.printMarked("~", d.Updated)
	for _, id := range d.Removed {
		fmt.Fprintln(a.stdout, "- "+printable(string(id)))
	}
	a.tell("%d to add, %d to update, %d to remove, catalog %.12s",
		len(d.Changed)+len(d.Added), len(d.Updated), len(d.Removed), d.Hash)
}

func (a *app) printMarked(mark string, entries []catalog.Instruction) {
	for _, e := range entries {
		fmt.Fprintln(a.stdout, mark+" "+string(e.ID))
	}
}
