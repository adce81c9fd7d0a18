package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"instruction-catalog/rpc"
)

func (a *app) callCommand() *cobra.Command {
	var toolsets selection
	cmd := &cobra.Command{
		Use:   "call METHOD [JSON|-]",
		Short: "Call any method and print its result",
		Long: `Calls any method as a client would and prints its result. Params are a JSON
object, on the command line or on standard input ("-").

Exits 1 if the result says notFound.

"catalog schema" lists the methods, "catalog schema METHOD" shows its params.`,
		Example: `  catalog call usage/hotset '{"limit": 5}'`,
		Args:    arguments(1, 2),
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return toolsets.completeMethods(args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			params, err := a.readParams(args[1:])
			if err != nil {
				return err
			}
			registry, err := toolsets.registry(toolsetConfig{})
			if err != nil {
				return err
			}
			if err := toolsets.hasFor(args[0]); err != nil {
				return err
			}
			ctx := rpc.WithCaller(cmd.Context(), rpc.Caller{User: toolsets.user()})
			return running(ctx, registry, func() error { return a.callAny(ctx, registry, args[0], params) })
		},
	}
	a.usage.register(cmd.Flags())
	a.usage.registerSync(cmd.Flags())
	toolsets = a.selectToolsets(cmd)
	return cmd
}

// callAny calls any method and prints its result. It returns errFindings if the result
// says notFound, or if the method fails and its toolset defines its own errors.
func (a *app) callAny(ctx context.Context, registry *rpc.Registry, method string, params json.RawMessage) error {
	raw, err := a.callOn(ctx, registry, method, params)
	if err == nil {
		a.printJSON(raw)
		var answer struct{ NotFound bool }
		if json.Unmarshal(raw, &answer) == nil && answer.NotFound {
			return errFindings
		}
		return nil
	}
	m, ok := registry.Method(method)
	switch {
	case !ok:
		return noMethod(registry, method)
	case m.Toolset().Errors != nil:
		a.complain(err)
		return errFindings
	}
	failure, ok := errors.AsType[*rpc.Error](err)
	if !ok {
		return err
	}
	if _, told := failure.Data.(rpc.Failure); told && failure.Code != rpc.InternalError {
		return fmt.Errorf("%s (%d)", explain(failure), failure.Code)
	}
	return err
}

// noMethod returns the error for an unknown method, with the most similar name.
func noMethod(registry *rpc.Registry, method string) error {
	var names []string
	for _, m := range registry.Methods() {
		names = append(names, m.Name)
	}
	return didYouMean(fmt.Errorf("no method %q: \"catalog schema\" lists them", method), method, names)
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
		return nil, errors.New(`the params are not JSON: write them as one argument, such as '{"limit": 5}'`)
	}
	return text, nil
}

func (s selection) completeMethods(args []string) ([]string, cobra.ShellCompDirective) {
	registry, err := s.registry(toolsetConfig{})
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var names []string
	for _, m := range registry.Methods() {
		names = append(names, fmt.Sprintf("%s\t%s", m.Name, m.Summary))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
