package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/search/nearest"
	"instruction-catalog/governance/sum"
	"instruction-catalog/rpc"
)

// Limits on how much of a body is shown on a terminal without --body.
const (
	glanceLines = 20
	glanceBytes = 4000
)

func (a *app) getCommand() *cobra.Command {
	var bodyOnly bool
	cmd := &cobra.Command{
		Use:   "get ID|PATH",
		Short: "Show one entry",
		Long: `Shows one entry, by its id or by the path of its file. On a terminal a long body is cut after 20 lines or 4,000 bytes; --body prints
the body alone, whole, byte for byte. Exits 1 if there is no such entry.`,
		Example: `  catalog get go-error-values --body > rule.md
  catalog get .cursor/rules/go.mdc`,
		Args:              arguments(1, 1),
		ValidArgsFunction: a.completeIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.get(cmd, args[0], bodyOnly)
		},
	}
	cmd.Flags().BoolVar(&bodyOnly, "body", false, "print the body only, whole")
	return cmd
}

func (a *app) get(cmd *cobra.Command, id string, bodyOnly bool) error {
	if bodyOnly && a.json {
		return errors.New("--body and --json exclude each other: choose one")
	}
	registry, err := a.registry()
	if err != nil {
		return err
	}
	raw, err := a.getEntry(cmd.Context(), registry, id)
	if err != nil {
		return err
	}
	got, err := showResult(a, raw, func(r gotEntry) {
		switch {
		case r.NotFound:
			a.sayNoEntry(id, r.Nearest)
		case bodyOnly:
			fmt.Fprint(a.stdout, r.Item.Body)
		default:
			a.printEntry(&r)
		}
	})
	if err == nil && got.NotFound {
		return errFindings
	}
	return err
}

type gotEntry struct {
	Item struct {
		hit
		Approval sum.Approval
	}
	NotFound bool
	Nearest  []string
}

// getEntry returns the result of instructions/get for an entry's id or path.
func (a *app) getEntry(ctx context.Context, registry *rpc.Registry, name string) (json.RawMessage, error) {
	get := func(id string) (json.RawMessage, error) {
		return a.callOn(ctx, registry, "instructions/get",
			map[string]any{"id": id, "nearest": !a.json, "fields": append(wholeEntry(), "approval")})
	}
	raw, err := get(name)
	var got gotEntry
	if err != nil || json.Unmarshal(raw, &got) != nil || !got.NotFound {
		return raw, err
	}
	list, err := a.callOn(ctx, registry, "instructions/list", map[string]any{"fields": []string{"origin"}})
	var all listing
	if err != nil || json.Unmarshal(list, &all) != nil {
		return nil, err
	}
	for _, file := range a.filesOf(name) {
		for _, e := range all.Items {
			if e.Origin.Path == file {
				return get(string(e.ID))
			}
		}
	}
	return raw, nil
}

// filesOf returns the files of the catalog that a path may refer to: relative to the
// working directory first, then relative to the catalog's folder.
func (a *app) filesOf(name string) []string {
	if a.isBundle() {
		return nil
	}
	files := []string{path.Clean(filepath.ToSlash(name))}
	abs, folder, err := a.realPaths(name)
	if err != nil {
		return files
	}
	if within, err := filepath.Rel(folder, abs); err == nil && filepath.IsLocal(within) {
		files = append([]string{filepath.ToSlash(within)}, files...)
	}
	return files
}

// sayNoEntry prints that no entry has the id, and the most similar ids.
func (a *app) sayNoEntry(id string, nearest []string) {
	near := ""
	if len(nearest) > 0 {
		near = ": the nearest are " + strings.Join(nearest, ", ")
	}
	fmt.Fprintf(a.stderr, "catalog: no entry %q%s; \"catalog list\" lists all entries\n", id, near)
}

// entryOf returns the entry with an id or path. If it does not exist, entryOf prints
// that and returns errFindings.
func (a *app) entryOf(s *catalog.Snapshot, id string) (*catalog.Entry, error) {
	if e, ok := s.Get(id); ok {
		return e, nil
	}
	for _, file := range a.filesOf(id) {
		for _, e := range s.Entries() {
			if e.Origin.Path == file {
				return e, nil
			}
		}
	}
	var ids []string
	for _, e := range s.Entries() {
		ids = append(ids, string(e.ID))
	}
	a.sayNoEntry(id, nearest.Of(id, ids))
	return nil, errFindings
}

func (a *app) printEntry(got *gotEntry) {
	e := got.Item
	file := a.pathOf(e.Origin)
	if agent := e.Origin.agent(); agent != "" {
		file += " (" + agent + ")"
	}
	rows := [][]string{
		{"id", string(e.ID)}, {"title", e.Title}, {"path", file},
		{"requirement", string(e.Requirement)}, {"priority", strconv.Itoa(e.Priority)},
		{"audience", string(e.Audience)}, {"categories", strings.Join(e.Categories, ", ")},
		{"loaded", string(e.Load)}, {"applies to", strings.Join(e.AppliesTo, ", ")},
		{"owner", e.Owner}, {"status", string(e.Status)}, {"approved", approvedText(&e.Instruction, e.Approval)}, {"rationale", e.Rationale}, {"deprecated by", e.DeprecatedBy},
		{"updated", string(e.UpdatedAt)}, {"source hash", string(e.SourceHash)},
	}
	var shown [][]string
	for _, row := range rows {
		if row[1] != "" {
			shown = append(shown, row)
		}
	}
	a.printTable(table{rows: shown, paint: func(column int, cell string) string { return a.screen.paint(cell, []style{faint, ""}[column]) }})
	fmt.Fprintln(a.stdout)
	a.printBody(e.Body)
}

// approvedText returns who approved an entry and when, and whether the entry was
// changed since.
func approvedText(e *catalog.Instruction, approval sum.Approval) string {
	if approval == "" {
		return ""
	}
	text := "by " + cmp.Or(e.ApprovedBy, "nobody")
	if e.ApprovedAt != "" {
		text += " on " + day(e.ApprovedAt)
	}
	if approval == sum.StaleApproval {
		text += ", and changed since"
	}
	return text
}

// printBody prints a body. On a terminal it prints only the beginning.
func (a *app) printBody(body string) {
	body = strings.TrimSuffix(strings.ReplaceAll(body, "\r\n", "\n"), "\n")
	shown := body
	if a.screen.isTerminal() {
		shown = beginning(body)
	}
	fmt.Fprintln(a.stdout, printable(shown))
	if rest := strings.TrimPrefix(body[len(shown):], "\n"); rest != "" {
		fmt.Fprintf(a.stdout, "… %s: --body prints all\n", count(1+strings.Count(rest, "\n"), "more line", "more lines"))
	}
}

// beginning returns the beginning of a text, limited to glanceLines and glanceBytes.
func beginning(text string) string {
	end := 0
	for lines := 0; lines < glanceLines && end < len(text); lines++ {
		newline := strings.IndexByte(text[end:], '\n')
		if newline < 0 {
			end = len(text)
			break
		}
		end += newline + 1
	}
	for end = min(end, glanceBytes); end < len(text) && !utf8.RuneStart(text[end]); {
		end--
	}
	return strings.TrimSuffix(text[:end], "\n")
}

func (a *app) completeIDs(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.completeFrom(cmd, func(e hit) []string { return []string{cobra.CompletionWithDesc(string(e.ID), printable(e.Title))} })
}

func (a *app) completeCategories(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return a.completeFrom(cmd, func(e hit) []string { return e.Categories })
}

// completeFrom offers as completions the values that the function of returns for each
// entry, without duplicates.
func (a *app) completeFrom(cmd *cobra.Command, of func(hit) []string) ([]string, cobra.ShellCompDirective) {
	raw, err := a.call(cmd.Context(), "instructions/list", map[string][]string{"fields": {"title", "categories"}})
	var l listing
	if err != nil || json.Unmarshal(raw, &l) != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var offers []string
	for _, e := range l.Items {
		offers = append(offers, of(e)...)
	}
	slices.Sort(offers)
	return slices.Compact(offers), cobra.ShellCompDirectiveNoFileComp
}
