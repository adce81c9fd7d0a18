package main

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
)

// viewParams holds the params that list and search share.
type viewParams struct {
	Category    string   `json:"category,omitempty"`
	Requirement string   `json:"requirement,omitempty"`
	Audience    string   `json:"audience,omitempty"`
	Status      string   `json:"status,omitempty"`
	AppliesTo   string   `json:"appliesTo,omitempty"`
	Agent       string   `json:"agent,omitempty"`
	Sort        string   `json:"sort,omitempty"`
	Nearest     bool     `json:"nearest,omitempty"`
	Fields      []string `json:"fields,omitempty"`
	Limit       int      `json:"limit,omitempty"`
	Cursor      string   `json:"cursor,omitempty"`

	ids bool // print only the ids
}

func (p *viewParams) addFlags(a *app, cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&p.Category, "category", "", "only entries of this category")
	flags.StringVar(&p.Requirement, "requirement", "", "only critical, mandatory, recommended, optional or deprecated entries")
	flags.StringVar(&p.Audience, "audience", "", "only entries for individual, group or all")
	flags.StringVar(&p.Status, "status", "", "only draft, review, approved or deprecated entries")
	flags.StringVar(&p.AppliesTo, "applies-to", "", "only entries that apply to this `file` of the repository")
	flags.StringVar(&p.Agent, "agent", "", "only entries in files that this agent reads: "+strings.Join(agentNames(), ", "))
	flags.StringVar(&p.Sort, "sort", "", "priority: those of priority 1 first")
	flags.StringSliceVar(&p.Fields, "fields", nil, "with --json: only these fields of each entry")
	complete(cmd, "category", a.completeCategories)
	oneOf(cmd, "requirement", catalog.Requirements()...)
	oneOf(cmd, "audience", catalog.Individual, catalog.Group, catalog.Everybody)
	oneOf(cmd, "status", catalog.StatusDraft, catalog.StatusReview, catalog.StatusApproved, catalog.StatusDeprecated)
	oneOf(cmd, "sort", "priority")
	oneOf(cmd, "agent", agentNames()...)
	flags.IntVar(&p.Limit, "limit", 0, "at most this many entries")
	flags.BoolVar(&p.ids, "ids", false, "print only the ids, one per line")
	flags.StringVar(&p.Cursor, "cursor", "", "continue at the nextCursor of an earlier answer")
}

func agentNames() []string {
	var names []string
	for _, a := range agents.All() {
		names = append(names, a.Name)
	}
	return names
}

type listing struct {
	Hash       catalog.Fingerprint
	Count      int
	Items      []hit
	NextCursor string
	Nearest    []string
}

type hit struct {
	catalog.Instruction
	Snippet catalog.Snippet // if requested
	Origin  origin
	Applies catalog.Applies // with --applies-to
	Also    []samePlace
}

// origin is the location of an entry.
type origin struct {
	Path   string
	Line   int
	Format string
}

// samePlace is the location of another entry with the same body.
type samePlace struct {
	ID   catalog.ID
	Path string
}

func (a *app) listCommand() *cobra.Command {
	var params struct {
		Load string `json:"load,omitempty"`
		viewParams
	}
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the entries of the catalog",
		Example: `  catalog list --requirement mandatory
  catalog list --applies-to src/app.ts
  catalog list --category testing --json --fields title,priority`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := a.showListing(cmd, "instructions/list", &params.viewParams, &params)
			return err
		},
	}
	cmd.Flags().StringVar(&params.Load, "load", "", "only entries that agents load in this way: always, glob, directory, agent, manual, skill, command or persona")
	oneOf(cmd, "load", catalog.LoadModes()...)
	params.addFlags(a, cmd)
	return cmd
}

// showListing calls a method that lists entries, prints the answer and returns it.
// Without --json it requests only the fields that it prints.
func (a *app) showListing(cmd *cobra.Command, method string, view *viewParams, params any) (l listing, err error) {
	if cmd.Flags().Changed("limit") && view.Limit < 1 {
		return l, fmt.Errorf("--limit: must be at least 1, not %d", view.Limit)
	}
	ids := view.ids
	if ids && a.json {
		return l, errors.New("--ids and --json exclude each other: choose one")
	}
	switch {
	case a.json && view.Fields == nil:
		view.Fields = wholeEntry()
	case !a.json && view.Fields != nil:
		return l, fmt.Errorf("--fields chooses fields of the JSON answer: add --json")
	case !a.json:
		view.Fields = []string{"title", "priority", "requirement", "audience", "load", "appliesTo", "origin", "applies"}
		view.Nearest = view.Category != ""
	}
	view.AppliesTo = a.fromTop(view.AppliesTo)
	print := a.printListing
	if ids {
		print = a.printIDs
	}
	return show(cmd.Context(), a, method, params, print)
}

// tell prints a remark on standard error, so that standard output contains only the
// answer.
func (a *app) tell(format string, args ...any) {
	fmt.Fprintln(a.stderr, a.errScreen.paint(oneLine(fmt.Sprintf(format, args...)), faint))
}

func (a *app) printListing(l listing) {
	a.printHits(l.Items)
	if len(l.Nearest) > 0 {
		a.tell("catalog: no entry has that category: the nearest are %s", strings.Join(l.Nearest, ", "))
	}
	a.tell("%s, catalog %.12s", count(l.Count, "entry", "entries"), l.Hash)
	if l.NextCursor != "" {
		a.tell("%d shown; more with --cursor %s", len(l.Items), l.NextCursor)
	}
}

// printIDs prints only the id of each entry.
func (a *app) printIDs(l listing) {
	for _, e := range l.Items {
		fmt.Fprintln(a.stdout, printable(string(e.ID)))
	}
	if l.NextCursor != "" {
		a.tell("%d of %d shown; more with --cursor %s", len(l.Items), l.Count, l.NextCursor)
	}
}

// wholeEntry returns the fields of a JSON answer: all fields of an entry, its origin
// and why it applies.
func wholeEntry() []string {
	var fields []string
	for _, f := range catalog.Fields() {
		fields = append(fields, string(f))
	}
	return append(fields, "origin", "applies")
}

// printHits prints one line for each entry, followed by the matching line of the body
// and the locations of entries with the same body, if any. Only a terminal gets a
// heading, so that other programs can count lines.
func (a *app) printHits(items []hit) {
	t := a.hitTable(items)
	heading, rows := t.lines(a.screen)
	if a.screen.isTerminal() && len(items) > 0 {
		fmt.Fprintln(a.stdout, heading)
	}
	for i, row := range rows {
		fmt.Fprintln(a.stdout, row)
		if snippet := items[i].Snippet; len(snippet.Matches) > 0 {
			fmt.Fprintln(a.stdout, margin+a.highlight(a.screen.fit(snippet)))
		}
		a.printAlso(items[i].Also)
	}
}

// The columns of a table of entries.
const (
	idColumn = iota
	requirementColumn
	priorityColumn
	audienceColumn
	loadColumn
	agentColumn
	pathColumn
	titleColumn
)

// hitTable returns a table of entries. On a terminal it omits the columns for loading
// and agents if they are empty, and cuts the beginning of long paths.
func (a *app) hitTable(items []hit) table {
	t := table{
		heading: []string{"ID", "REQUIREMENT", "PRIORITY", "AUDIENCE", "LOADED", "AGENT", "PATH", "TITLE"},
		spare:   []int{audienceColumn, priorityColumn, agentColumn, requirementColumn, loadColumn},
		enough:  leastTitle,
		paint:   a.paintHit,
	}
	for _, e := range items {
		t.rows = append(t.rows, []string{
			string(e.ID), string(e.Requirement), strconv.Itoa(e.Priority), string(e.Audience),
			a.screen.cutTo(loadsOf(e), 6), cmp.Or(e.Origin.agent(), "-"), a.screen.keepEnd(a.pathOf(e.Origin), 3), e.Title,
		})
	}
	if a.screen.isTerminal() {
		t.hideEmpty(loadColumn, agentColumn)
	}
	return t
}

// leastTitle is the minimum width of a title, in columns. Other columns are omitted to
// make room for it.
const leastTitle = 12

// agent returns the kind of agent's file, or "" for an entry of the catalog itself.
func (o origin) agent() string {
	if (catalog.Origin{Format: o.Format}).OfAgent() {
		return o.Format
	}
	return ""
}

// pathOf returns the path of an entry relative to the working directory, with the line
// number if the catalog is a bundle.
func (a *app) pathOf(o origin) string {
	p := path.Join(a.folder(), o.Path)
	if a.isBundle() {
		p += ":" + strconv.Itoa(o.Line)
	}
	return p
}

// loadsOf returns when an entry is loaded, or why it applies to the file given by
// --applies-to.
func loadsOf(e hit) string {
	switch {
	case e.Applies.By == "unscoped":
		return "-"
	case e.Applies.By == "folder":
		return e.Applies.What + "/"
	case e.Applies.What != "":
		return e.Applies.What
	case e.Load == catalog.LoadGlob:
		return strings.Join(e.AppliesTo, ", ")
	}
	return cmp.Or(string(e.Load), "-")
}

// printAlso prints the other locations of a body.
func (a *app) printAlso(places []samePlace) {
	if len(places) == 0 {
		return
	}
	paths := make([]string, len(places))
	for i, p := range places {
		paths[i] = path.Join(a.folder(), p.Path)
	}
	fmt.Fprintln(a.stdout, a.screen.paint(margin+"also in "+oneLine(strings.Join(paths, ", ")), faint))
}

// margin is the indentation of text printed below a row.
const margin = "    "

// fit cuts a snippet to one line of the screen, indented by margin. It keeps the first
// match, and more of the text after it than before.
func (s screen) fit(snippet catalog.Snippet) catalog.Snippet {
	columns := s.width - len(margin)
	if !s.isTerminal() || uniseg.StringWidth(snippet.Text) <= columns {
		return snippet
	}
	text, first := []rune(snippet.Text), snippet.Matches[0]
	from := 0
	for from < first[0] && uniseg.StringWidth(string(text[from:first[1]])) > columns/2 {
		from++
	}
	start := ""
	if from > 0 {
		start = "…"
	}
	shown := []rune(cut(start+string(text[from:]), columns))
	moved, last := len([]rune(start))-from, len(shown)-len([]rune("…"))
	fitting := catalog.Snippet{Text: string(shown)}
	for _, m := range snippet.Matches {
		if m[0]+moved < last {
			fitting.Matches = append(fitting.Matches, []int{m[0] + moved, min(m[1]+moved, last)})
		}
	}
	return fitting
}

// paintHit colours a cell of the table of entries.
func (a *app) paintHit(column int, cell string) string {
	switch {
	case column == idColumn:
		return a.screen.paint(cell, bold)
	case column == requirementColumn && (cell == string(catalog.Critical) || cell == string(catalog.Mandatory)):
		return a.screen.paint(cell, red)
	case column < pathColumn:
		return a.screen.paint(cell, faint)
	}
	return cell
}

// highlight returns the text of a snippet with its matches highlighted.
func (a *app) highlight(s catalog.Snippet) string {
	if !a.screen.colour {
		return oneLine(s.Text)
	}
	var shown strings.Builder
	text, at := []rune(s.Text), 0
	for _, m := range s.Matches {
		shown.WriteString(oneLine(string(text[at:m[0]])) + a.screen.paint(oneLine(string(text[m[0]:m[1]])), matched))
		at = m[1]
	}
	return shown.String() + oneLine(string(text[at:]))
}
