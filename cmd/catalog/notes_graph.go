package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"instruction-catalog/toolsets/notes"
)

// graphFormats write the graph of a vault.
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
			snapshot, _, err := n.look(cmd.Context())
			if err != nil {
				return err
			}
			return write(n.app, snapshot)
		},
	}
	cmd.Flags().StringVar(&format, "format", "mermaid", "`how`: mermaid, dot, json")
	return cmd
}

// writeMermaid numbers the notes: an id of Mermaid has no slashes.
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

// graphNode and graphLink are the parts of the graph as JSON.
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
