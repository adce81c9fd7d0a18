package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/format"
	"instruction-catalog/catalog/source"
)

func (a *app) hashCommand() *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:   "hash",
		Short: "Print the hash of each body, or record it",
		Long: `Prints the SHA-256 of each body and the id of its entry.

With --write, it records the hash in each file whose sourceHash is empty or does not
match. Only that line of the file changes. Run it after you have reviewed the changes:
verify reports bodies that no longer match. It never writes agents' files and bundles.
Exits 1 if a hash could not be recorded.`,
		Example: `  catalog hash
  catalog hash --write`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if a.json {
				return errors.New("--json: the hashes as JSON are \"catalog list --json --fields sourceHash\"")
			}
			s, err := a.load(cmd.Context())
			switch {
			case err != nil:
				return err
			case write:
				return a.recordHashes(cmd.Context(), s)
			}
			for _, e := range s.Entries() {
				fmt.Fprintf(a.stdout, "%s  %s\n", e.SourceHash, e.ID)
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&write, "write", false, "record the hashes in the files that have a sourceHash")
	return cmd
}

// recordHashes records the hash of each entry whose file has an empty or wrong hash,
// and prints what it did. It returns errFindings if one could not be recorded.
func (a *app) recordHashes(ctx context.Context, s *catalog.Snapshot) error {
	from := a.source()
	root, err := os.OpenRoot(a.dir)
	if err != nil {
		return fmt.Errorf("%s: hashes are recorded in the files of a folder: name one with --dir, and write the bundle again", a.dir)
	}
	defer root.Close()
	drifts, err := s.Verify(ctx, from.Reread, func(int, int) {})
	if err != nil {
		return err
	}
	drifted := map[catalog.ID]bool{}
	for _, d := range drifts {
		drifted[d.ID] = true
	}
	var recorded, refused int
	for _, e := range s.Entries() {
		if e.Origin.RecordedHash != "" && !drifted[e.ID] {
			continue
		}
		shown := path.Join(a.folder(), e.Origin.Path)
		switch changed, err := recordHash(root, e); {
		case errors.Is(err, format.ErrNoHashLine) && e.Origin.RecordedHash == "":
		case err != nil:
			refused++
			fmt.Fprintln(a.stderr, oneLine(fmt.Sprintf("%s: error: the hash of %s is not recorded: %s", shown, e.ID, err)))
		case changed:
			recorded++
			fmt.Fprintln(a.stdout, oneLine(shown))
		}
	}
	fmt.Fprintf(a.stdout, "%s recorded\n", count(recorded, "hash", "hashes"))
	if refused > 0 {
		return errFindings
	}
	return nil
}

// recordHash records the hash of an entry in its file.
func recordHash(root *os.Root, e *catalog.Entry) (changed bool, err error) {
	switch {
	case e.Origin.OfAgent() && e.Origin.RecordedHash == "":
		return false, nil
	case e.Origin.OfAgent():
		return false, errors.New("this is a file of an agent, which is never written: record it by hand")
	}
	return editEntry(root, e, func(text []byte) ([]byte, error) { return format.RecordHash(e.Origin.Path, text) })
}

// editEntry edits the file of an entry, keeps its mode and owner, and reports whether
// the file changed. The replacement is atomic.
func editEntry(root *os.Root, e *catalog.Entry, edit func(text []byte) ([]byte, error)) (changed bool, err error) {
	f, err := files.ReadIn(root, e.Origin.Path, source.MaxFile)
	if err != nil {
		return false, files.Cause(err)
	}
	text, err := edit(f.Data)
	if err != nil || bytes.Equal(text, f.Data) {
		return false, err
	}
	if len(text) > source.MaxFile {
		return false, fmt.Errorf("the file would have more than %d bytes: make it smaller", source.MaxFile)
	}
	err = files.ReplaceIn(root, e.Origin.Path, text, 0o600)
	if errors.Is(err, files.ErrNotRegular) {
		return false, errors.New("it is a link, which would be replaced by a file: record it by hand")
	}
	return err == nil, files.Cause(err)
}
