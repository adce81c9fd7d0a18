package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/sum"
)

func (a *app) bundleCommand() *cobra.Command {
	var out string
	cmd := &cobra.Command{
		Use:   "bundle",
		Short: "Write the catalog as one file",
		Long: `Writes the catalog as one file, a bundle: on each line an instruction, as JSON, in
the order of the ids. --dir accepts a bundle wherever it accepts a folder: the entries
and the catalog hash are the same. Use it for catalogs that are too large to be
thousands of files.

The file is compressed with Zstandard if its name ends in .zst. The same catalog
yields the same bytes in every clone: a time that is missing in a file is not written,
and defaults to that of the bundle. Warnings do not prevent writing. If a file cannot
become an entry, all such files are listed and nothing is written.

The bundle includes the catalog's gates, on its first line, and catalog.sum with its
signature, so that verify on the bundle checks them. For a bundle without gates, verify
reads the gates.json beside it.

Concatenated bundles are a bundle, so cat merges them; of two lines with the same id
the first is served. Only the first bundle may have gates and a sum.`,
		Example: `  catalog bundle --out instructions.jsonl.zst
  catalog --dir instructions.jsonl.zst verify
  catalog --dir ../rules bundle > rules.jsonl`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(cmd.Context())
			defer stop()
			err := a.bundle(ctx, out)
			if errors.Is(err, context.Canceled) {
				return errors.New("interrupted: no bundle was written")
			}
			return err
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write to this `file`, "+source.BundleNames+" (default standard output)")
	return cmd
}

// bundled describes a bundle that was written.
type bundled struct {
	Path    string              `json:"path"`
	Entries int                 `json:"entries"`
	Bytes   int64               `json:"bytes"`
	Hash    catalog.Fingerprint `json:"hash"` // of the catalog
}

func (a *app) bundle(ctx context.Context, out string) error {
	if err := a.checkBundleOut(out); err != nil {
		return err
	}
	file, err := createResult(out)
	if err != nil {
		return err
	}
	defer file.discard()
	snapshot, err := a.load(ctx)
	if err != nil {
		return err
	}
	if err := a.refuseToLose(snapshot.Diagnostics(), "no bundle was written"); err != nil {
		return err
	}
	metadata, err := metadataOf(a.source())
	if err != nil {
		return err
	}
	if file == nil {
		return a.writeBundle(ctx, a.stdout, snapshot, metadata, false)
	}
	if err := a.writeBundle(ctx, file, snapshot, metadata, source.IsCompressedName(out)); err != nil {
		return err
	}
	info, err := file.Stat()
	if err := errors.Join(err, file.keep()); err != nil {
		return err
	}
	b := bundled{out, len(snapshot.Entries()), info.Size(), snapshot.Hash()}
	return a.report(b, "wrote %s: %s, %s, catalog %.12s",
		b.Path, count(b.Entries, "entry", "entries"), count(int(b.Bytes), "byte", "bytes"), b.Hash)
}

// checkBundleOut returns an error if no usable bundle could be written to out.
func (a *app) checkBundleOut(out string) error {
	switch {
	case out != "" && !source.IsBundleName(out):
		return fmt.Errorf("--out: %s would not be read as a bundle: name the file %s", out, source.BundleNames)
	case out == "" && a.json:
		return errors.New("--json prints a summary on standard output: name a file for the bundle with --out")
	case out == "" && a.screen.isTerminal():
		return errors.New("the bundle would be written to the terminal: name a file for it with --out, or redirect it")
	}
	return nil
}

// refuseToLose lists the errors among the diagnostics, followed by the outcome. It
// returns errFindings if there are errors, because the snapshot lacks the files that
// have them.
func (a *app) refuseToLose(diagnostics []catalog.Diagnostic, outcome string) error {
	folder, refused := a.folder(), 0
	for _, d := range diagnostics {
		if d.Severity == catalog.SeverityError {
			refused++
			fmt.Fprintln(a.stderr, describe(folder, d))
		}
	}
	if refused == 0 {
		return nil
	}
	fmt.Fprintf(a.stderr, "%s: %s, because it would lack what could not be read\n", count(refused, "error", "errors"), outcome)
	return errFindings
}

// metadataOf returns the files that a bundle carries beside the entries. It fails if
// catalog.sum is invalid.
func metadataOf(from *source.Source) (source.Metadata, error) {
	metadata, err := from.Metadata()
	if err == nil {
		_, err = sum.Parse(metadata.Sum)
	}
	if err != nil {
		return source.Metadata{}, fmt.Errorf("%s%c%w", from.Folder(), filepath.Separator, err)
	}
	return metadata, nil
}

func (a *app) writeBundle(ctx context.Context, w io.Writer, s *catalog.Snapshot, metadata source.Metadata, compressed bool) error {
	show, finish := a.showing("entries")
	defer finish()
	return source.WriteBundle(ctx, w, s, metadata, compressed, show)
}
