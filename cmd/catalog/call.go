package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

func (a *app) callCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "call METHOD [JSON|-]",
		Short: "Call any method and print its result",
		Long: `Calls any method as a client would and prints its result. Params are a JSON
object, on the command line or on standard input ("-").

"catalog schema" lists the methods, "catalog schema METHOD" shows its params.`,
		Example: `  catalog call usage/hotset '{"limit": 5}'`,
		Args:    arguments(1, 2),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return a.completeMethods(args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			params, err := a.readParams(args[1:])
			if err != nil {
				return err
			}
			raw, err := a.call(cmd.Context(), args[0], params)
			if err != nil {
				return err
			}
			a.printJSON(raw)
			return nil
		},
	}
}

func (a *app) readParams(args []string) (json.RawMessage, error) {
	if len(args) == 0 {
		return json.RawMessage("{}"), nil
	}
	text := []byte(args[0])
	if args[0] == "-" {
		var err error
		if text, err = a.readInput("-"); err != nil {
			return nil, err
		}
	}
	if !json.Valid(text) {
		return nil, errors.New(`the params are no JSON: write them as one argument, such as '{"limit": 5}'`)
	}
	return text, nil
}

func (a *app) completeMethods(args []string) ([]string, cobra.ShellCompDirective) {
	registry, err := a.registry()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, m := range registry.Methods() {
		names = append(names, fmt.Sprintf("%s\t%s", m.Name, m.Summary))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
