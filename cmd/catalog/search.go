package main

import "github.com/spf13/cobra"

func (a *app) searchCommand() *cobra.Command {
	var params struct {
		Query string `json:"q"`
		viewParams
	}
	cmd := &cobra.Command{
		Use:     "search TEXT",
		Short:   "Find entries whose title or body contains a text, whatever the case",
		Example: `  catalog search "context.Context" --limit 5`,
		Args:    arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			params.Query = args[0]
			return a.showListing(cmd, "instructions/search", &params.viewParams, &params)
		},
	}
	params.addFlags(cmd)
	return cmd
}
