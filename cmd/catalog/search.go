package main

import "github.com/spf13/cobra"

func (a *app) searchCommand() *cobra.Command {
	var params struct {
		Query   string `json:"q"`
		Snippet bool   `json:"snippet,omitempty"`
		viewParams
	}
	cmd := &cobra.Command{
		Use:   "search TEXT",
		Short: "Find entries whose title or body contains a text, whatever the case",
		Long: `Finds the entries whose title or body contains a text, whatever the case. Under an entry stands
where its body has the text, with what is around it.`,
		Example: `  catalog search "context.Context" --limit 5`,
		Args:    arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			params.Query, params.Snippet = args[0], !a.json
			return a.showListing(cmd, "instructions/search", &params.viewParams, &params)
		},
	}
	params.addFlags(cmd)
	return cmd
}
