package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/format"
	"instruction-catalog/governance/sum"
)

func (a *app) approveCommand() *cobra.Command {
	var by string
	cmd := &cobra.Command{
		Use:   "approve ID|PATH… --by NAME",
		Short: "Record the approval of entries in their files",
		Long: `Writes approvedHash, approvedBy and approvedAt into the file of each entry, on lines
of their own. All other lines stay as they are. The hash covers the same content as in
catalog.sum, except for these three fields. Any later edit makes the approval stale;
gates can check this with the field approval.

The command never writes agents' files, bundles or catalog.sum.`,
		Example: `  catalog approve wrap-errors --by ann@example.com
  catalog lock`,
		Args:              arguments(1, math.MaxInt),
		ValidArgsFunction: a.completeIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkApprover(by); err != nil {
				return seeHelp(cmd, err)
			}
			return a.approve(cmd.Context(), args, by)
		},
	}
	cmd.Flags().StringVar(&by, "by", "", "`name` of the person who approves, such as an address")
	return cmd
}

// checkApprover returns an error if the name is blank, too long or not UTF-8, or has
// invisible characters, which could make it look like another name.
func checkApprover(by string) error {
	const most = 200
	unfit := func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) }
	switch {
	case strings.TrimSpace(by) == "":
		return errors.New("--by is missing: give the name of the person who approves")
	case !utf8.ValidString(by) || strings.ContainsFunc(by, unfit):
		return errors.New("--by has invisible characters: write a plain name")
	case utf8.RuneCountInString(by) > most:
		return fmt.Errorf("--by has more than %d characters: write a shorter name", most)
	}
	return nil
}

// approval describes an approval that was recorded.
type approval struct {
	ID   catalog.ID          `json:"id"`
	Path string              `json:"path"`
	Hash catalog.Fingerprint `json:"approvedHash"`
	By   string              `json:"approvedBy"`
	At   catalog.Timestamp   `json:"approvedAt"`
}

// approve approves entries one by one. If an id does not exist, it approves none of
// them.
func (a *app) approve(ctx context.Context, ids []string, by string) error {
	s, err := a.load(ctx)
	if err != nil {
		return err
	}
	entries := make([]*catalog.Entry, len(ids))
	for i, id := range ids {
		if entries[i], err = a.entryOf(s, id); err != nil {
			return err
		}
	}
	for _, e := range entries {
		if err := a.approveEntry(e, by); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) approveEntry(e *catalog.Entry, by string) error {
	done := approval{e.ID, path.Join(a.folder(), e.Origin.Path), sum.ApprovalHash(e), by, catalog.NewTimestamp(time.Now())}
	if err := a.recordApproval(e, done); err != nil {
		return fmt.Errorf("%s: %s is not approved: %w", done.Path, e.ID, err)
	}
	return a.report(done, "%s: %s is approved by %s", done.Path, e.ID, by)
}

func (a *app) recordApproval(e *catalog.Entry, done approval) error {
	switch {
	case e.Origin.Line > 0:
		return errors.New("a bundle is never written: approve the file of the entry in its folder, and bundle that again")
	case e.Origin.OfAgent():
		return fmt.Errorf("this is a file of an agent (%s), which is never written: approve an entry of the catalog, or sign the catalog", e.Origin.Format)
	}
	root, err := os.OpenRoot(a.dir)
	if err != nil {
		return files.Cause(err)
	}
	defer root.Close()
	_, err = editEntry(root, e, func(text []byte) ([]byte, error) {
		return format.RecordApproval(e.Origin.Path, text, e, format.Approval{Hash: done.Hash, By: done.By, At: done.At})
	})
	if err != nil {
		return err
	}
	if _, err := root.Lstat(catalog.SumFile); !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(a.stderr, "catalog: %s has the entry as it was: run \"catalog lock\"\n", catalog.SumFile)
	}
	return nil
}
