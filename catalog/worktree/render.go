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

// Render writes the files of a repository from a catalog. If a person has edited a
// file, Render leaves it alone unless Force names it.
type Render struct {
	Repository string
	// Files lists the files to render, sorted by path, at most one per path.
	Files    []render.File
	Revision string // of the catalog
	// Unread lists broken files of the catalog. If there are any, Render does not
	// remove an entry from a file, because a broken file may contain the entry.
	Unread []string
	// Targets names the targets whose recorded files are compared. nil means all
	// targets.
	Targets []string
	// MayWrite reports whether rendering could ever write to a path for a target.
	MayWrite func(target, path string) bool
	// IsImported reports whether a file at path was imported into the catalog. It may be
	// nil.
	IsImported func(path string) bool
	// IsCommitted reports whether git has text committed at path.
	IsCommitted func(ctx context.Context, path string, text []byte) bool
	// Force lists paths to overwrite. Render keeps a copy of each such file beside it.
	Force []string
	// State is the user's state folder for rendered files. Changes is the one for
	// staged file changes.
	State, Changes string
	DryRun         bool
	Log            *slog.Logger
	Progress       func(done, total int)
}

// RenderResult reports the outcome for each file, sorted by path.
type RenderResult struct {
	Files   []RenderedFile       `json:"files"`
	Summary map[render.State]int `json:"summary"`
}

// RenderedFile reports the outcome for one file.
type RenderedFile struct {
	Path    string       `json:"path"`
	Target  string       `json:"target"`
	State   render.State `json:"state"` // before rendering
	Action  RenderAction `json:"action"`
	Region  bool         `json:"region,omitempty"`
	Entries []catalog.ID `json:"entries"`
	Why     string       `json:"-"` // why the file was left, if State does not say so
	Kept    string       `json:"-"` // path of the copy of its old content; "" if no copy was made
}

// RenderAction is what Render did with a file.
type RenderAction string

// The actions of Render. [ImportAction] has those of Import.
const (
	Wrote       RenderAction = "wrote"
	Removed     RenderAction = "removed"
	Recorded    RenderAction = "recorded"
	LeftAlone   RenderAction = "left"
	NothingToDo RenderAction = "none"
)

// rendering is the state of a running Render.
type rendering struct {
	Render
	root    *os.Root
	session *files.Session // nil for a dry run
	record  Record
	known   *knowledge
	items   []*item
}

// Run renders the files. A file that is left alone is not an error.
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

// recordFolder is the folder of the record. A run locks it.
const recordFolder = ".catalog"

// begin locks the repository unless DryRun is set. It then reads the record and the
// texts that earlier runs have written.
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

// ownsPath reports whether the package may write to p. Paths outside the repository and
// git's own paths are not allowed.
func ownsPath(p string) bool { return isPlainPath(p) && write.Owns(p) }

// checkTrust returns an error if the record has a path that its target could never
// write, unless this program has written to that path before. The record may come from
// a clone. If such a path is about to be rendered anyway, or was imported, checkTrust
// drops it from the record instead, so that nothing is written or removed because of it. It also returns an error if a file to
// render has an unsafe path or is listed twice.
func (run *rendering) checkTrust() error {
	due := map[string]bool{}
	for _, f := range run.Files {
		due[f.Path] = true
	}
	for _, p := range slices.Sorted(maps.Keys(run.record.lines)) {
		for _, l := range run.record.lines[p] {
			switch {
			case ownsPath(p) && (run.MayWrite(l.Target, p) || run.known.hasPath(p)):
			case ownsPath(p) && (due[p] || run.IsImported != nil && run.IsImported(p)):
				delete(run.record.lines, p)
			default:
				return fmt.Errorf("%s says that %q was rendered for the target %q, which never writes there: nothing was written; take the line out of the record", RecordPath, p, l.Target)
			}
		}
	}
	for i, f := range run.Files {
		if !ownsPath(f.Path) {
			return fmt.Errorf("the file %q of the target %q cannot be written: nothing was written", f.Path, f.Target)
		}
		if i > 0 && run.Files[i-1].Path == f.Path {
			return fmt.Errorf("%q would be written twice: nothing was written", f.Path)
		}
	}
	return nil
}

// look reads each file that is to be rendered or is recorded, and decides what to do
// with it.
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

// written returns the lines for what may have been written last, by path: those of the
// record, and those that a killed run intended to write.
func (run *rendering) written() map[string][]Line {
	all := maps.Clone(run.record.lines)
	for p, lines := range run.known.Pending {
		all[p] = append(slices.Clip(all[p]), lines...)
	}
	return all
}

// force marks the files named by --force. It returns an error for a file that is not
// rendered.
func (run *rendering) force() error {
	for _, p := range run.Force {
		name := path.Clean(filepath.ToSlash(p))
		i := slices.IndexFunc(run.items, func(it *item) bool { return it.Path == name })
		if i < 0 {
			return fmt.Errorf("--force %s: not a rendered file: name one by its path in the repository", p)
		}
		run.items[i].force()
	}
	return nil
}
