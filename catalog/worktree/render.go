package worktree

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/render"
	"instruction-catalog/catalog/write"
)

// Render brings the files of a repository in line with a catalog. It leaves every
// file that a person has written to.
type Render struct {
	Repository string
	// Files are due, at most one for each path.
	Files    []render.File
	Revision string // of the catalog
	// Unread are files of the catalog that are broken. While there is one, no entry
	// is taken out of a file: it may be the broken one.
	Unread []string
	// Targets are those whose recorded files are compared; nil for all.
	Targets []string
	// MayWrite reports whether a target could ever write a path.
	MayWrite func(target, path string) bool
	// IsCommitted reports whether git has a text committed at a path.
	IsCommitted func(ctx context.Context, path string, text []byte) bool
	// Force names paths to be overwritten, whose files are kept beside them.
	Force []string
	// State is the user's state folder for rendered files, and Changes that for
	// changes of files.
	State, Changes string
	DryRun         bool
	Log            *slog.Logger
	Progress       func(done, total int)
}

// RenderResult says what came of each file, by path.
type RenderResult struct {
	Files   []RenderedFile       `json:"files"`
	Summary map[render.State]int `json:"summary"`
}

// RenderedFile says what came of one file.
type RenderedFile struct {
	Path    string       `json:"path"`
	Target  string       `json:"target"`
	State   render.State `json:"state"` // before
	Action  RenderAction `json:"action"`
	Region  bool         `json:"region,omitempty"`
	Entries []catalog.ID `json:"entries"`
	Why     string       `json:"-"` // it was left, if its state does not say so
	Kept    string       `json:"-"` // the path of the copy of what was in it, "" for none
}

// RenderAction is what Render did with a file.
type RenderAction string

// The actions. The others are those of [ImportAction].
const (
	Wrote       RenderAction = "wrote"
	Removed     RenderAction = "removed"
	Recorded    RenderAction = "recorded"
	LeftAlone   RenderAction = "left"
	NothingToDo RenderAction = "none"
)

// rendering is a render under way.
type rendering struct {
	Render
	root    *os.Root
	session *files.Session // nil if nothing is written
	record  Record
	known   *knowledge
	items   []*item
}

// Run renders the files. A file that is left is no error.
func (r Render) Run(ctx context.Context) (RenderResult, error) {
	run := &rendering{Render: r}
	defer run.close()
	if err := run.begin(ctx); err != nil {
		return RenderResult{}, err
	}
	if err := run.look(); err != nil {
		return RenderResult{}, err
	}
	if !r.DryRun {
		if err := run.apply(ctx); err != nil {
			return RenderResult{}, err
		}
	}
	return run.result(), nil
}

func (run *rendering) result() RenderResult {
	result := RenderResult{Files: []RenderedFile{}, Summary: map[render.State]int{}}
	for _, it := range run.items {
		if it.State != render.Forgotten {
			result.Files = append(result.Files, it.RenderedFile)
			result.Summary[it.State]++
		}
	}
	return result
}

func (run *rendering) close() {
	if run.session != nil {
		_ = run.session.Close()
	}
	if run.root != nil {
		_ = run.root.Close()
	}
}

// recordFolder is the folder of the record, which is locked.
const recordFolder = ".catalog"

// begin locks the repository, unless nothing is written, and reads what there is to
// know about its files.
func (run *rendering) begin(ctx context.Context) (err error) {
	if run.Repository, err = realFolder(run.Repository); err != nil {
		return err
	}
	if run.root, err = os.OpenRoot(run.Repository); err != nil {
		return fmt.Errorf("%s: %w", run.Repository, files.Cause(err))
	}
	if err := run.lock(ctx); err != nil {
		return err
	}
	if run.record, err = ReadRecord(run.root); err != nil {
		return err
	}
	if run.known, err = readKnowledge(run.State, run.Repository); err != nil {
		return err
	}
	return run.checkTrust()
}

func (run *rendering) lock(ctx context.Context) (err error) {
	info, err := run.root.Lstat(recordFolder)
	switch {
	case err == nil && !info.IsDir():
		return fmt.Errorf("%s is not a folder: move it away", recordFolder)
	case run.DryRun:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		err = run.root.Mkdir(recordFolder, 0o777)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	folder := &files.Folder{
		Path: run.Repository, LockedFolder: recordFolder, State: run.Changes,
		Trash: recordFolder + "/kept", Owns: ownsPath, Log: run.Log,
	}
	run.session, err = folder.Begin(ctx)
	return err
}

// ownsPath reports whether a path may be written at all.
func ownsPath(p string) bool { return isPlainPath(p) && write.Owns(p) }

// checkTrust refuses a record with paths that no target could write, unless this
// program has written there. The record may have come with a clone. What it says of a
// path that is due all the same, such as of a file that another one imports, is ignored.
func (run *rendering) checkTrust() error {
	due := map[string]bool{}
	for _, f := range run.Files {
		due[f.Path] = true
	}
	for _, p := range slices.Sorted(maps.Keys(run.record.lines)) {
		for _, l := range run.record.lines[p] {
			switch {
			case ownsPath(p) && (run.MayWrite(l.Target, p) || run.known.hasPath(p)):
			case ownsPath(p) && due[p]:
				delete(run.record.lines, p)
			default:
				return fmt.Errorf("%s says that %q was rendered for the target %q, which never writes there: nothing was written; take the line out of the record", RecordPath, p, l.Target)
			}
		}
	}
	for i, f := range run.Files {
		if !ownsPath(f.Path) {
			return fmt.Errorf("%q is due for the target %q and cannot be written: nothing was written", f.Path, f.Target)
		}
		if i > 0 && run.Files[i-1].Path == f.Path {
			return fmt.Errorf("%q is due twice: nothing was written", f.Path)
		}
	}
	return nil
}

// look reads each file that is due or recorded, and decides what is to be done.
func (run *rendering) look() error {
	due, written := map[string]*render.File{}, run.written()
	for i, f := range run.Files {
		due[f.Path] = &run.Files[i]
		run.items = append(run.items, &item{due: &run.Files[i], RenderedFile: RenderedFile{Path: f.Path, Target: f.Target, Region: f.Region}})
	}
	for p, lines := range written {
		if due[p] == nil && (run.Targets == nil || slices.Contains(run.Targets, lines[0].Target)) {
			run.items = append(run.items, &item{RenderedFile: RenderedFile{Path: p, Target: lines[0].Target}})
		}
	}
	slices.SortFunc(run.items, func(a, b *item) int { return cmp.Compare(a.Path, b.Path) })
	reader := files.NewReader(run.root)
	defer reader.Close()
	for _, it := range run.items {
		it.lines = written[it.Path]
		it.read(run.root, reader)
		it.decide()
		it.holdBack(run.Unread)
	}
	return run.force()
}

// written returns what may have been written last, by path: what the record says,
// and what a run that was killed intended.
func (run *rendering) written() map[string][]Line {
	all := maps.Clone(run.record.lines)
	for p, lines := range run.known.Pending {
		all[p] = append(slices.Clip(all[p]), lines...)
	}
	return all
}

// force marks the files of --force.
func (run *rendering) force() error {
	for _, p := range run.Force {
		name := path.Clean(filepath.ToSlash(p))
		i := slices.IndexFunc(run.items, func(it *item) bool { return it.Path == name })
		if i < 0 {
			return fmt.Errorf("--force %s: no such file is rendered: name one by its path in the repository", p)
		}
		run.items[i].force()
	}
	return nil
}
