package source

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// Folder is a folder of instruction files at any depth. It is either a catalog, in which
// each *.json and *.md file is an instruction, or a repository with files that coding
// agents read.
type Folder struct {
	dir    string
	drafts drafts // files being edited
	// See [Source.Including] and [Source.Untrusted].
	include   []string
	untrusted bool

	mu      sync.Mutex
	last    folderState
	folders []string
}

// NewFolder returns the folder at dir. It reads nothing.
func NewFolder(dir string) *Folder { return &Folder{dir: dir} }

// Load reads every instruction file into a snapshot; it is a [catalog.Load]. A problem
// with a file becomes a diagnostic of the snapshot. Load fails only if the folder or the
// configuration cannot be read, if no more files can be opened, or if ctx is done.
//
// A later Load reads only the files that have changed since the previous one. It returns
// the same snapshot if nothing has changed. If a file that was an entry is now broken,
// for example during a write, the previous entry is still served, with a diagnostic.
//
// Load skips *.schema.json and metadata files such as gates.json and catalog.sum.
// Outside of folders whose name begins with a dot, it also skips files and folders
// whose name begins with '_'. It adds a note to the diagnostics for each other kind of
// file that it does not read. Two loads of an unchanged folder yield equal snapshots.
func (f *Folder) Load(ctx context.Context) (*catalog.Snapshot, error) { return f.LoadChanged(ctx, nil) }

// LoadChanged is like a later [Folder.Load], but examines only the given
// slash-separated paths within the folder. The caller must know that nothing else has
// changed. If paths is nil, it examines all paths.
func (f *Folder) LoadChanged(ctx context.Context, paths []string) (*catalog.Snapshot, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	root, err := f.open()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	w := walker{root: root, drafts: f.drafts, tracked: trackedIn(f.dir), known: f.last.listings, hasChanged: changedBy(paths), listings: map[string][]dirEntry{}}
	if err := w.walk(ctx, folderListing{path: "."}); err != nil {
		return nil, explain("folder", f.dir, err)
	}
	if w.selection, err = f.selection(); files.Exhausted(err) {
		return nil, explain("folder", f.dir, errors.Unwrap(err))
	} else if err != nil {
		return nil, err
	}
	chosen := w.choose()
	if w.exhausted != nil {
		return nil, explain("folder", f.dir, w.exhausted)
	}
	results := make([]fileResult, len(chosen))
	done := counting(ctx, len(chosen))
	err = inParallel(ctx, len(chosen), func(share iter.Seq[int]) {
		r := newFileReader(root, f.drafts)
		defer r.Close()
		for i := range share {
			results[i] = f.last.read(r, chosen[i])
			done()
		}
	})
	if err != nil {
		return nil, err
	}
	for i := range results {
		r := &results[i]
		if r.exhausted != nil {
			return nil, explain("folder", f.dir, r.exhausted)
		}
		if r.target == "" {
			r.listed = r.identity
		}
		if r.Skipped {
			w.unread.add(notPersona, r.path)
		}
	}
	w.reportNoAgentsFile(results)
	f.folders = w.folders
	f.last = f.last.next(append(results, f.last.below(w.unreadable)...), append(w.diagnostics, w.unread.notes()...), len(w.candidates))
	f.last.listings = w.listings
	return f.last.snapshot, nil
}

// Folders returns the folders that the last [Folder.Load] listed, relative to the
// catalog's folder and with slashes. The catalog's folder itself is ".".
func (f *Folder) Folders() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.folders
}

// reportNoAgentsFile adds a warning if the folder is a git repository without an
// agent's file and its files are probably not instructions: none has an id, and there
// is no gates.json.
func (w *walker) reportNoAgentsFile(results []fileResult) {
	spelled := func(r fileResult) bool { return r.Entry != nil && r.Entry.Origin.SpelledID != "" }
	if !w.isGit || w.repository || len(results) == 0 || slices.ContainsFunc(results, spelled) ||
		slices.ContainsFunc(w.candidates, func(c candidate) bool { return c.path == catalog.GatesFile }) {
		return
	}
	w.report(NoAgentsFile, catalog.SeverityWarning, ".", "this git repository has no agent's file and no folder instructions, and so each of %d Markdown and JSON "+
		"files is taken for an instruction: write AGENTS.md, make a catalog with `catalog init`, or name the folder that has instructions with --dir", len(results))
}

// noEntries returns the warning for a folder with no entry. files is the number of files
// in it.
func noEntries(files int) catalog.Diagnostic {
	d := catalog.Diagnostic{Path: ".", Severity: catalog.SeverityWarning, Rule: NoEntries,
		Message: "the folder is empty: write an instruction, or name another folder with --dir"}
	if files > 0 {
		d.Message = fmt.Sprintf("the folder has files (%d) but no entry: name the folder that has instructions with --dir", files)
	}
	return d
}

// Reread reads the file of each entry again, on all processors, and calls found with its
// body; it is a [catalog.Reread]. It omits entries whose file is missing, cannot be read,
// or no longer has a body. It fails only if ctx is done or no more files can be opened.
func (f *Folder) Reread(ctx context.Context, entries []*catalog.Entry, found func(catalog.ID, string)) error {
	root, err := f.open()
	switch {
	case files.Exhausted(err):
		return err
	case err != nil:
		return ctx.Err() // without the folder, every entry is missing
	}
	defer root.Close()
	failed := make([]error, len(entries))
	err = inParallel(ctx, len(entries), func(share iter.Seq[int]) {
		r := newFileReader(root, f.drafts)
		defer r.Close()
		w := walker{root: root, drafts: f.drafts}
		for i := range share {
			body, ok, err := w.bodyOf(r, entries[i].Origin.Path)
			if failed[i] = err; ok {
				found(entries[i].ID, body)
			}
		}
	})
	for _, exhausted := range failed {
		if err == nil && exhausted != nil {
			err = explain("folder", f.dir, exhausted)
		}
	}
	return err
}

func (f *Folder) open() (*os.Root, error) {
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return nil, explain("folder", f.dir, err)
	}
	return root, nil
}

// inParallel calls do once per processor, concurrently. The shares partition the numbers
// from 0 to n-1. If ctx is done, the shares end and inParallel returns the error of ctx.
func inParallel(ctx context.Context, n int, do func(share iter.Seq[int])) error {
	var next atomic.Int64
	var workers sync.WaitGroup
	share := func(yield func(int) bool) {
		for i := int(next.Add(1)) - 1; i < n && ctx.Err() == nil && yield(i); i = int(next.Add(1)) - 1 {
		}
	}
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() { do(share) })
	}
	workers.Wait()
	return ctx.Err()
}
