package main

import "github.com/spf13/cobra"

func (a *app) searchCommand() *cobra.Command {
	var params struct {
		Query   string `json:"q"`
		Mode    string `json:"mode,omitempty"`
		Snippet bool   `json:"snippet,omitempty"`
		viewParams
	}
	var ranked bool
	cmd := &cobra.Command{
		Use:   "search TEXT",
		Short: "Find entries whose title or body contains a text, whatever the case",
		Long: `Finds the entries whose title or body contains a text, whatever the case. Under an entry stands
where its body has the text, with what is around it.

With --ranked it finds the entries that fit the words best, in id, title, categories, summary or
body, and nothing where little fits. The last word may be the beginning of one, from three letters on.`,
		Example: `  catalog search "context.Context" --limit 5
  catalog search --ranked "close a file after an error" --limit 5`,
		Args: arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			params.Query, params.Snippet = args[0], !a.json
			if ranked {
				params.Mode = "ranked"
			}
			return a.showListing(cmd, "instructions/search", &params.viewParams, &params)
		},
	}
	cmd.Flags().BoolVar(&ranked, "ranked", false, "look for the words of the text, best first, instead of the text as it is")
	params.addFlags(cmd)
	return cmd
}
