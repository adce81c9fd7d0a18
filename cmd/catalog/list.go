package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
)

// viewParams are the params that list and search share.
type viewParams struct {
	Category    string   `json:"category,omitempty"`
	Requirement string   `json:"requirement,omitempty"`
	Audience    string   `json:"audience,omitempty"`
	Status      string   `json:"status,omitempty"`
	AppliesTo   string   `json:"appliesTo,omitempty"`
	Sort        string   `json:"sort,omitempty"`
	Nearest     bool     `json:"nearest,omitempty"`
	Fields      []string `json:"fields,omitempty"`
	Limit       int      `json:"limit,omitempty"`
	Cursor      string   `json:"cursor,omitempty"`
}

func (p *viewParams) addFlags(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&p.Category, "category", "", "only entries of this category")
	flags.StringVar(&p.Requirement, "requirement", "", "only critical, mandatory, recommended, optional or deprecated entries")
	flags.StringVar(&p.Audience, "audience", "", "only entries for individual, group or all")
	flags.StringVar(&p.Status, "status", "", "only draft, review, approved or deprecated entries")
	flags.StringVar(&p.AppliesTo, "applies-to", "", "only entries that count for this file, a path within the repository")
	flags.StringVar(&p.Sort, "sort", "", "priority: those of priority 1 first")
	flags.StringSliceVar(&p.Fields, "fields", nil, "with --json: only these fields of each entry")
	flags.IntVar(&p.Limit, "limit", 0, "at most this many entries")
	flags.StringVar(&p.Cursor, "cursor", "", "go on where an earlier answer's nextCursor says")
}

type listing struct {
	Hash       catalog.Fingerprint
	Count      int
	Items      []hit
	NextCursor string
	Nearest    []string
}

type hit struct {
	catalog.Instruction
	Snippet catalog.Snippet // where one was asked for
}

func (a *app) listCommand() *cobra.Command {
	var params struct {
		Load string `json:"load,omitempty"`
		viewParams
	}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the entries of the catalog",
		Example: `  catalog list --requirement mandatory
  catalog list --applies-to src/app.ts
  catalog list --category testing --json --fields title,priority`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.showListing(cmd, "instructions/list", &params.viewParams, &params)
		},
	}
	cmd.Flags().StringVar(&params.Load, "load", "", "only entries that an agent loads so: always, glob, directory, agent, manual, skill, command or persona")
	params.addFlags(cmd)
	return cmd
}

// showListing asks for no more of each entry than the table shows, unless
// the answer itself is wanted.
func (a *app) showListing(cmd *cobra.Command, method string, view *viewParams, params any) error {
	if cmd.Flags().Changed("limit") && view.Limit < 1 {
		return fmt.Errorf("--limit: must be at least 1, not %d", view.Limit)
	}
	if !a.json {
		if view.Fields != nil {
			return fmt.Errorf("--fields chooses fields of the JSON answer: add --json")
		}
		view.Fields = []string{"title", "priority", "requirement", "audience"}
		view.Nearest = view.Category != ""
	}
	_, err := show(cmd.Context(), a, method, params, a.printListing)
	return err
}

func (a *app) printListing(l listing) {
	rows := [][]string{{"ID", "REQUIREMENT", "PRIORITY", "AUDIENCE", "TITLE"}}
	for _, e := range l.Items {
		rows = append(rows, []string{
			string(e.ID), string(e.Requirement), strconv.Itoa(e.Priority), string(e.Audience), e.Title,
		})
	}
	if len(l.Items) > 0 {
		a.printHits(l.Items, rows)
	}
	if len(l.Nearest) > 0 {
		fmt.Fprintf(a.stderr, "catalog: no entry has that category: the nearest are %s\n", oneLine(strings.Join(l.Nearest, ", ")))
	}
	fmt.Fprintf(a.stdout, "%s, catalog %.12s\n", count(l.Count, "entry", "entries"), l.Hash)
	if l.NextCursor != "" {
		fmt.Fprintf(a.stdout, "%d shown; more with --cursor %s\n", len(l.Items), l.NextCursor)
	}
}

// printHits prints the rows as a table, a heading and one for each item, and
// under the row what was found in the body, where it was.
func (a *app) printHits(items []hit, rows [][]string) {
	var table strings.Builder
	printTable(&table, rows...)
	heading, rest, _ := strings.Cut(table.String(), "\n")
	fmt.Fprintln(a.stdout, heading)
	for i, row := range strings.Split(strings.TrimSuffix(rest, "\n"), "\n") {
		fmt.Fprintln(a.stdout, row)
		if snippet := items[i].Snippet; len(snippet.Matches) > 0 {
			fmt.Fprintf(a.stdout, "    %s\n", oneLine(snippet.Text))
		}
	}
}
