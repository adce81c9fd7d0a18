package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"instruction-catalog/toolsets/notes"
	"instruction-catalog/toolsets/notes/vault"
)

// notesCommand holds the state shared by the subcommands of "catalog notes".
type notesCommand struct {
	app *app
	dir string
}

func (a *app) notesCommand() *cobra.Command {
	n := &notesCommand{app: a}
	cmd := &cobra.Command{
		Use:   "notes",
		Short: "Check a vault of Markdown notes, or draw the graph of its links",
		Example: `  catalog notes --notes ~/vault check
  catalog notes --notes ~/vault graph --format dot | dot -Tsvg > graph.svg`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&n.dir, "notes", "", "the `folder` of the vault (CATALOG_NOTES)")
	cmd.AddCommand(n.check(), n.graph())
	return cmd
}

// look returns the current notes.
func (n *notesCommand) look(ctx context.Context) (*notes.Snapshot, error) {
	dir := cmp.Or(n.dir, n.app.env("CATALOG_NOTES"))
	if dir == "" {
		return nil, errors.New("the vault is missing: give --notes FOLDER, or set CATALOG_NOTES")
	}
	v := vault.New(dir, n.app.logger())
	defer v.Close()
	return v.Look(ctx)
}

func (n *notesCommand) check() *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "List broken and ambiguous links, orphans and duplicate titles",
		Long: `Lists problems of the notes, as path:line: kind: message: links that lead to no note,
or may lead to several; notes without a link to or from another note; titles that
several notes have; front matter and files that cannot be read; notes that are not
searched for links because they are nested too deeply or too large. Exits 1 if there
are findings. With --json, prints an array of findings.`,
		Example: `  catalog notes check --notes ~/vault`,
		Args:    arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			snapshot, err := n.look(cmd.Context())
			if err != nil {
				return err
			}
			findings := []notes.Finding{}
			for _, u := range snapshot.Unread() {
				findings = append(findings, notes.Finding{Path: notes.ID(u.Path), Line: 1, Kind: notes.UnreadFile, Message: u.Reason})
			}
			return n.report(append(findings, snapshot.Check()...), len(snapshot.Notes()))
		},
	}
}

// report prints the findings. It returns errFindings if there are any.
func (n *notesCommand) report(findings []notes.Finding, all int) error {
	a := n.app
	if a.json {
		if err := a.printValue(findings); err != nil {
			return err
		}
	} else {
		for _, f := range findings {
			fmt.Fprintln(a.stdout, oneLine(fmt.Sprintf("%s:%d: %s: %s", f.Path, f.Line, f.Kind, f.Message)))
		}
		fmt.Fprintf(a.stdout, "%s, %s\n", count(all, "note", "notes"), count(len(findings), "finding", "findings"))
	}
	if len(findings) > 0 {
		return errFindings
	}
	return nil
}

// graphFormats maps each format to the function that writes the graph.
var graphFormats = map[string]func(*app, *notes.Snapshot) error{
	"mermaid": writeMermaid, "dot": writeDOT, "json": writeGraphJSON,
}

func (n *notesCommand) graph() *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "graph",
		Short:   "Print the notes and the links between them",
		Example: `  catalog notes graph --notes ~/vault --format mermaid`,
		Args:    arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if n.app.json {
				if cmd.Flags().Changed("format") {
					return seeHelp(cmd, errors.New("--json is --format json: leave one of the two out"))
				}
				format = "json"
			}
			write, ok := graphFormats[format]
			if !ok {
				return fmt.Errorf("there is no format %q: give --format mermaid, dot or json", format)
			}
			snapshot, err := n.look(cmd.Context())
			if err != nil {
				return err
			}
			return write(n.app, snapshot)
		},
	}
	cmd.Flags().StringVar(&format, "format", "mermaid", "`how`: mermaid, dot, json")
	return cmd
}

// writeMermaid writes the graph for Mermaid. It numbers the notes because ids in
// Mermaid cannot contain slashes.
func writeMermaid(a *app, s *notes.Snapshot) error {
	out := a.stdout
	fmt.Fprintln(out, "graph LR")
	numbers := map[notes.ID]int{}
	for i, n := range s.Notes() {
		numbers[n.ID] = i
		title := strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;").Replace(oneLine(n.Title()))
		fmt.Fprintf(out, "  n%d[\"%s\"]\n", i, title)
	}
	for _, n := range s.Notes() {
		for _, to := range s.Links(n) {
			fmt.Fprintf(out, "  n%d --> n%d\n", numbers[n.ID], numbers[to.ID])
		}
	}
	return nil
}

func writeDOT(a *app, s *notes.Snapshot) error {
	out := a.stdout
	quoted := func(text string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(text)) + `"`
	}
	fmt.Fprintln(out, "digraph notes {")
	for _, n := range s.Notes() {
		fmt.Fprintf(out, "  %s [label=%s];\n", quoted(string(n.ID)), quoted(n.Title()))
	}
	for _, n := range s.Notes() {
		for _, to := range s.Links(n) {
			fmt.Fprintf(out, "  %s -> %s;\n", quoted(string(n.ID)), quoted(string(to.ID)))
		}
	}
	fmt.Fprintln(out, "}")
	return nil
}

// graphNode and graphLink are the parts of the graph in JSON.
type graphNode struct {
	ID    notes.ID `json:"id"`
	Title string   `json:"title"`
	Tags  []string `json:"tags"`
}

type graphLink struct {
	Source notes.ID `json:"source"`
	Target notes.ID `json:"target"`
}

func writeGraphJSON(a *app, s *notes.Snapshot) error {
	graph := struct {
		Nodes []graphNode `json:"nodes"`
		Links []graphLink `json:"links"`
	}{[]graphNode{}, []graphLink{}}
	for _, n := range s.Notes() {
		graph.Nodes = append(graph.Nodes, graphNode{n.ID, n.Title(), append([]string{}, n.Parts.Tags...)})
		for _, to := range s.Links(n) {
			graph.Links = append(graph.Links, graphLink{n.ID, to.ID})
		}
	}
	return a.printValue(graph)
}
