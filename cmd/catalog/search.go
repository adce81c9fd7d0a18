package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) searchCommand() *cobra.Command {
	var params struct {
		Query   string `json:"q"`
		Mode    string `json:"mode,omitempty"`
		Snippet bool   `json:"snippet,omitempty"`
		Also    bool   `json:"also,omitempty"`
		viewParams
	}
	var ranked bool
	cmd := &cobra.Command{
		Use:   "search TEXT…",
		Short: "Find entries whose title or body contains a text",
		Long: `Finds the entries whose title or body contains a text, regardless of case. Several words
are one text, separated by spaces. Below each entry is an excerpt of its body around the text.

With --ranked it finds the entries that match the words best, in id, title, categories, summary
or body. In a catalog of more than 20 entries, weak matches yield no result. The last word may
be the beginning of a word, if it has three letters or more.

With --ranked and --embedder, it also finds entries with the same meaning in other words. They
are compared by vectors, which a server with the same --embedder computes and stores.

Exits 1 if nothing is found.`,
		Example: `  catalog search "context.Context" --limit 5
  catalog search --ranked "close a file after an error" --limit 5`,
		Args: arguments(1, math.MaxInt),
		RunE: func(cmd *cobra.Command, args []string) error {
			params.Query = strings.Join(args, " ")
			params.Snippet = !a.json && !params.ids
			params.Also = !params.ids
			if err := a.chooseEmbedder(cmd, ranked); err != nil {
				return err
			}
			if ranked {
				params.Mode = "ranked"
			}
			found, err := a.showListing(cmd, "instructions/search", &params.viewParams, &params)
			if err == nil && found.Count == 0 {
				if !ranked && !a.json && len(strings.Fields(params.Query)) > 1 {
					a.tell("no entry has this text: --ranked searches for its words")
				}
				return errFindings
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&ranked, "ranked", false, "search for the words of the text, best match first, instead of the exact text")
	cmd.Flags().String(embedderFlag.name, "", fmt.Sprintf("%s (%s)", embedderFlag.usage, embedderFlag.env))
	params.addFlags(a, cmd)
	return cmd
}

// chooseEmbedder sets the embedder of a search. Only a ranked search has one.
func (a *app) chooseEmbedder(cmd *cobra.Command, ranked bool) error {
	source, given := selection{a, cmd}.given(embedderFlag.name)
	switch {
	case given && source == "":
		return emptyFlag(embedderFlag.name)
	case given && !ranked:
		return fmt.Errorf("--%s is for --ranked: give that, too", embedderFlag.name)
	case ranked:
		a.embedder = selection{a, cmd}.value(embedderFlag)
	}
	return nil
}
