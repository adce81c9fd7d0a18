package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"
)

func (a *app) schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema [METHOD]",
		Short: "List the methods, or show the schema of one",
		Long: `Without an argument, lists the methods (with --json: the OpenRPC document).
With a method, prints its JSON Schema: params, result and examples.`,
		Example: `  catalog schema instructions/diff`,
		Args:    arguments(0, 1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return a.completeMethods(args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 {
				return a.printSchema(args[0])
			}
			_, err := show(cmd.Context(), a, "rpc.discover", struct{}{}, a.printMethods)
			return err
		},
	}
}

func (a *app) printSchema(method string) error {
	registry, err := a.registry()
	if err != nil {
		return err
	}
	m, ok := registry.Method(method)
	if !ok {
		return fmt.Errorf("no method %q: \"catalog schema\" lists them", method)
	}
	a.printJSON(json.RawMessage(m.Schema().Document()))
	return nil
}

type openRPC struct {
	Methods []struct {
		Name, Summary string
		Stability     string `json:"x-stability"`
		Effect        string `json:"x-effect"`
	}
}

func (a *app) printMethods(doc openRPC) {
	rows := [][]string{{"METHOD", "STABILITY", "EFFECT", "SUMMARY"}}
	for _, m := range doc.Methods {
		rows = append(rows, []string{m.Name, m.Stability, m.Effect, m.Summary})
	}
	printTable(a.stdout, rows...)
}
