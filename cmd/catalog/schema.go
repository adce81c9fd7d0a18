package main

import (
	"encoding/json"

	"github.com/spf13/cobra"

	"instruction-catalog/rpc"
)

func (a *app) schemaCommand() *cobra.Command {
	var toolsets selection
	cmd := &cobra.Command{
		Use:   "schema [METHOD]",
		Short: "List the methods, or show the schema of one",
		Long: `Without an argument, lists the methods (with --json: the OpenRPC document).
With a method, prints its JSON Schema: params, result and examples.`,
		Example: `  catalog schema instructions/diff`,
		Args:    arguments(0, 1),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return toolsets.completeMethods(args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			registry, err := toolsets.registry(toolsetConfig{})
			if err != nil {
				return err
			}
			if len(args) == 1 {
				if err := toolsets.hasFor(args[0]); err != nil {
					return err
				}
				return a.printSchema(registry, args[0])
			}
			raw, err := a.callOn(cmd.Context(), registry, "rpc.discover", struct{}{})
			if err != nil {
				return err
			}
			_, err = showResult(a, raw, a.printMethods)
			return err
		},
	}
	toolsets = a.selectToolsets(cmd)
	return cmd
}

func (a *app) printSchema(registry *rpc.Registry, method string) error {
	m, ok := registry.Method(method)
	if !ok {
		return noMethod(registry, method)
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
	a.printTable(table{heading: rows[0], rows: rows[1:], spare: []int{1, 2}})
}
