package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/usage"
)

type hotsetParams struct {
	Limit      int  `json:"limit,omitempty"`
	Detail     bool `json:"detail"`
	UnusedDays int  `json:"unusedDays,omitempty"`
}

type hotset struct {
	Items  []usage.Hot
	Since  catalog.Timestamp
	Unused *struct {
		After catalog.Timestamp
		Items []usage.Hot
	}
}

func (a *app) usageCommand() *cobra.Command {
	params := hotsetParams{Detail: true}
	unused := ""
	cmd := &cobra.Command{
		Use:   "usage",
		Short: "Show which entries are used most, and which are unused",
		Long: `Shows the entries that are used most, as counted by all servers of this catalog, and
with --unused those that were not used in that many days.`,
		Example: `  catalog usage --limit 20
  catalog usage --unused 90d`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if cmd.Flags().Changed("unused") {
				params.UnusedDays, err = days(unused)
			}
			if err != nil {
				return err
			}
			_, err = show(cmd.Context(), a, "usage/hotset", params, a.printHotset)
			return err
		},
	}
	cmd.Flags().IntVar(&params.Limit, "limit", 10, "at most this many of the most used, up to 100")
	cmd.Flags().StringVar(&unused, "unused", "", "also show entries not used in this many `days`, such as 90d")
	a.usage.register(cmd.Flags())
	return cmd
}

// maxDays is the maximum number of days that usage/hotset accepts.
const maxDays = 36500

// days parses a number of days, such as 90d.
func days(text string) (int, error) {
	number, found := strings.CutSuffix(text, "d")
	n, err := strconv.Atoi(number)
	if !found || err != nil || n < 1 || n > maxDays {
		return 0, fmt.Errorf("--unused is %q: give a number of days from 1d to %dd, such as 90d", text, maxDays)
	}
	return n, nil
}

func (a *app) printHotset(h hotset) {
	a.printUses(h.Items, 4)
	since := ""
	if h.Since != "" {
		since = ", counted since " + day(h.Since)
	}
	fmt.Fprintf(a.stdout, "%s, most used first%s\n", count(len(h.Items), "entry", "entries"), since)
	if h.Unused == nil {
		return
	}
	fmt.Fprintln(a.stdout)
	a.printUses(h.Unused.Items, 3)
	fmt.Fprintf(a.stdout, "%s not used since %s\n", count(len(h.Unused.Items), "entry", "entries"), day(h.Unused.After))
}

// printUses prints the first columns of a table of entries. It prints nothing if there
// are no entries.
func (a *app) printUses(entries []usage.Hot, columns int) {
	t := table{heading: []string{"ID", "USES", "LAST USED", "TOLD"}[:columns], numbers: []int{1}}
	for _, e := range entries {
		t.rows = append(t.rows, []string{string(e.ID), strconv.FormatInt(e.Count, 10), day(e.LastUsedAt), told(e)}[:columns])
	}
	if len(entries) > 0 {
		a.printTable(t)
	}
}

// day returns the date of a timestamp, or "-" for an empty one.
func day(t catalog.Timestamp) string {
	if t == "" {
		return "-"
	}
	day, _, _ := strings.Cut(string(t), "T")
	return day
}

// told formats the actions and signals that clients reported for an entry.
func told(h usage.Hot) string {
	parts := []string{
		number(h.Actions.Retrieved, "retrieved"), number(h.Actions.Applied, "applied"),
		number(h.Signals.Helpful, "helpful"), number(h.Signals.Outdated, "outdated"), number(h.Signals.NotRelevant, "not relevant"),
	}
	text := strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
	if text == "" {
		return "-"
	}
	return text
}

func number(n int64, what string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d %s", n, what)
}
