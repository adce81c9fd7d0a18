package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/sum"
)

func (a *app) lockCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "lock",
		Short: "Write catalog.sum, with a hash of each entry",
		Long: `Writes catalog.sum into the folder of the catalog. It has a line for each entry, with
its id and a hash of all its fields, including unknown ones, and lines for gates.json
and PROMPT-CRITERIA.json, which may be in a folder docs beside the catalog. The hash
does not cover times, usage counts and the layout of JSON. The command prints what has
changed since the file was last written.

Run it after you have reviewed a change, and commit the file with the change. From
then on verify reports each entry that was changed, removed or added, and in a code
review an edit of any field shows as a changed line. "catalog sign" signs the file.

If a file cannot become an entry, it is listed and nothing is written.`,
		Example: `  catalog lock
  git add instructions/catalog.sum`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.lock(cmd.Context()) },
	}
}

// locked describes a catalog.sum that was written.
type locked struct {
	Path    string       `json:"path"`
	Lines   int          `json:"lines"`
	Changes []sum.Change `json:"changes"` // since the file was last written; if it was malformed, everything counts as added
}

func (a *app) lock(ctx context.Context) error {
	if err := a.refuseBundle(); err != nil {
		return err
	}
	g, err := a.governed(ctx)
	if err != nil {
		return err
	}
	if err := a.refuseToLose(g.snapshot.Diagnostics(), "no "+catalog.SumFile+" was written"); err != nil {
		return err
	}
	before, err := sum.Parse(g.metadata.Sum)
	if err != nil {
		fmt.Fprintln(a.stderr, oneLine(path.Join(a.folder(), err.Error()))+" (it is written again)")
	}
	l := locked{path.Join(a.folder(), catalog.SumFile), len(g.sum), before.Changes(g.sum)}
	if g.metadata.Sum == nil || err != nil || len(l.Changes) > 0 {
		if err := a.writeMetadata(catalog.SumFile, g.sum.Bytes()); err != nil {
			return err
		}
	}
	if a.json {
		if l.Changes == nil {
			l.Changes = []sum.Change{}
		}
		return a.printValue(l)
	}
	for _, c := range l.Changes {
		fmt.Fprintf(a.stdout, "%-8s %s\n", c.Kind, c.Name)
	}
	fmt.Fprintf(a.stdout, "%s: %s, %s\n", oneLine(l.Path), count(l.Lines, "line", "lines"), count(len(l.Changes), "change", "changes"))
	return nil
}

// governed is a catalog with the metadata files beside its entries.
type governed struct {
	snapshot *catalog.Snapshot
	metadata source.Metadata
	sum      sum.Sum // computed from the snapshot; catalog.sum may differ
}

func (a *app) governed(ctx context.Context) (*governed, error) {
	snapshot, err := a.load(ctx)
	if err != nil {
		return nil, err
	}
	metadata, err := a.source().Metadata()
	if err != nil {
		return nil, fmt.Errorf("%s/%w", a.folder(), err)
	}
	return &governed{snapshot, metadata, sum.Of(snapshot, metadata.Governing())}, nil
}

// inStep returns the parsed catalog.sum. It returns an error if the file is missing or
// malformed. If the catalog has changed since it was written, inStep lists the changes
// and returns errFindings.
func (a *app) inStep(g *governed) (sum.Sum, error) {
	if g.metadata.Sum == nil {
		return nil, fmt.Errorf("%s has no %s: review the catalog, then run `catalog lock`", a.folder(), catalog.SumFile)
	}
	stands, err := sum.Parse(g.metadata.Sum)
	if err != nil {
		return nil, fmt.Errorf("%s/%w", a.folder(), err)
	}
	changes := stands.Changes(g.sum)
	for _, c := range changes {
		fmt.Fprintf(a.stderr, "%-8s %s\n", c.Kind, c.Name)
	}
	if len(changes) > 0 {
		fmt.Fprintf(a.stderr, "%s since %s was written: review the catalog, then run `catalog lock`\n",
			count(len(changes), "change", "changes"), oneLine(path.Join(a.folder(), catalog.SumFile)))
		return nil, errFindings
	}
	return stands, nil
}

// refuseBundle returns an error if the catalog is a bundle, because files beside the
// entries of a bundle cannot be written.
func (a *app) refuseBundle() error {
	if a.isBundle() {
		return fmt.Errorf("%s is a bundle, which has the %s of the folder that it was made from: run this there, and write the bundle again", a.dir, catalog.SumFile)
	}
	return nil
}

// writeMetadata creates or replaces a file in the folder of the catalog, and keeps the
// mode of an existing one. The replacement is atomic.
func (a *app) writeMetadata(name string, text []byte) error {
	shown := path.Join(a.folder(), name)
	root, err := os.OpenRoot(a.dir)
	if err != nil {
		return fmt.Errorf("%s: %w", shown, files.Cause(err))
	}
	defer root.Close()
	switch err := files.ReplaceIn(root, name, text, 0o644); {
	case errors.Is(err, files.ErrNotRegular):
		return fmt.Errorf("%s is a link or not a file, and is not replaced: remove it", shown)
	case err != nil:
		return fmt.Errorf("%s cannot be written (%w): fix that, and run it again", shown, files.Cause(err))
	}
	return nil
}
