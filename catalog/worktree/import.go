package worktree

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"strings"

	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/render"
	"instruction-catalog/catalog/source"
	"instruction-catalog/catalog/write"
)

// Import copies the agents' files of a repository into a catalog, byte for byte but
// without the regions that were rendered into them.
type Import struct {
	Repository, Catalog string // folders
	// Into is the folder of the catalog to copy to; "." is the top of the catalog. ""
	// means a folder with the repository's name. If the catalog is in the repository and
	// all earlier imports went to one folder, "" means that folder, because a clone may
	// have another name.
	Into string
	// State is the user's state folder for staged file changes. Origins is the state
	// folder that records which repository a file came from.
	State, Origins string
	// IsSame reports whether two folders are clones of one repository.
	IsSame   func(ctx context.Context, a, b string) bool
	DryRun   bool
	Log      *slog.Logger
	Progress func(done, total int)
}

// ImportResult reports the outcome for each file, sorted by its path in the repository.
type ImportResult struct {
	Files   []ImportFile         `json:"files"`
	Summary map[ImportAction]int `json:"summary"`
}

// ImportFile reports the outcome for one file.
type ImportFile struct {
	From   string       `json:"from"` // within the repository
	To     string       `json:"to"`   // within the catalog
	Action ImportAction `json:"action"`
	Why    string       `json:"why,omitempty"` // why the file was left
}

// ImportAction is what Import did with a file.
type ImportAction string

// The actions of Import.
const (
	Copied    ImportAction = "copied"
	Updated   ImportAction = "updated"
	Unchanged ImportAction = "none"
	Left      ImportAction = "left"
)

// Run imports the files. A file that is left is not an error. After an error, the
// remaining files are not imported. Files that were imported before remain on disk. Run
// tries to record them; if it cannot, the next import does.
func (i Import) Run(ctx context.Context) (ImportResult, error) {
	result := ImportResult{Files: []ImportFile{}, Summary: map[ImportAction]int{}}
	run := &importing{Import: i, record: Imported{map[string]ImportedFile{}}, links: map[string]string{}}
	defer run.close()
	if err := run.begin(ctx); err != nil {
		return result, err
	}
	for n, p := range run.paths {
		if err := ctx.Err(); err != nil {
			return result, errors.Join(err, run.save())
		}
		f, ours, err := run.file(ctx, p)
		if err != nil {
			return result, errors.Join(fmt.Errorf("%s: %w", f.To, err), run.save())
		}
		if ours {
			continue
		}
		result.Files = append(result.Files, f)
		result.Summary[f.Action]++
		i.Progress(n+1, len(run.paths))
	}
	return result, run.save()
}

// importing is the state of a running Import.
type importing struct {
	Import
	repository, catalog *os.Root // catalog is nil if it does not exist yet
	session             *write.Session
	record              Imported
	recorded            []byte // the record as it was read; nil for a missing file
	changed             bool
	paths               []string
	links               map[string]string // why a link is left, by its path
	origins             *origins
	rendered            Record // of the repository
	isNamed             bool   // the caller named the folder to copy to
}

// begin finds the files and opens the catalog. The caller must call close even if begin
// returns an error.
func (run *importing) begin(ctx context.Context) (err error) {
	if err := run.resolve(); err != nil {
		return err
	}
	if run.repository, err = os.OpenRoot(run.Repository); err != nil {
		return fmt.Errorf("%s: %w", run.Repository, files.Cause(err))
	}
	if run.rendered, err = ReadRecord(run.repository); err != nil {
		return err
	}
	if err := run.findFiles(ctx); err != nil {
		return err
	}
	if err := run.openCatalog(ctx); err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(run.Catalog); err == nil {
		run.Catalog = real // openCatalog may just have created it
	}
	if run.origins, err = readOrigins(run.Origins, run.Catalog); err == nil {
		run.reuseFolder()
	}
	return err
}

func (run *importing) close() {
	if run.session != nil {
		_ = run.session.Close()
	}
	for _, root := range []*os.Root{run.repository, run.catalog} {
		if root != nil {
			_ = root.Close()
		}
	}
}

// resolve makes the folders absolute and sets the default of Into. It returns an error
// if a folder cannot be used.
func (run *importing) resolve() (err error) {
	if run.Repository, err = realFolder(run.Repository); err != nil {
		return err
	}
	if run.isNamed = run.Into != ""; !run.isNamed {
		run.Into = filepath.Base(run.Repository)
	}
	run.Into = path.Clean(filepath.ToSlash(run.Into))
	if why := refuseInto(run.Into); why != "" {
		return fmt.Errorf("the files cannot go to the folder %q of the catalog, %s: name another with --into", run.Into, why)
	}
	run.Catalog, err = filepath.Abs(run.Catalog)
	if real, err := filepath.EvalSymlinks(run.Catalog); err == nil {
		run.Catalog = real
	}
	if within(run.Catalog, run.Repository) {
		return fmt.Errorf("%s is in the catalog: name the repository that the files come from", run.Repository)
	}
	return err
}

// realFolder returns the absolute path of a folder, without symbolic links.
func realFolder(folder string) (string, error) {
	abs, err := filepath.Abs(folder)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", folder, files.Cause(err))
	}
	return abs, nil
}

// refuseInto returns the reason why a reader of a catalog would find no entries in the
// folder into, or "" if it would find them.
func refuseInto(into string) string {
	if into == "." {
		return ""
	}
	if !isPlainPath(into) {
		return "which is not below it"
	}
	for segment := range strings.SplitSeq(into, "/") {
		if strings.HasPrefix(segment, ".") || strings.HasPrefix(segment, "_") || segment == "node_modules" {
			return fmt.Sprintf("as nothing is read below %q", segment)
		}
	}
	return ""
}

// within reports whether p is folder or is inside it. Both must be absolute paths.
func within(folder, p string) bool {
	rel, err := filepath.Rel(folder, p)
	return err == nil && filepath.IsLocal(rel)
}

// openCatalog opens the catalog and reads its record. Unless DryRun is set, it also
// locks the catalog, and creates it if it is missing.
func (run *importing) openCatalog(ctx context.Context) (err error) {
	if !run.DryRun {
		catalog := write.Catalog{Folder: run.Catalog, State: run.State, Log: run.Log}
		if run.session, err = catalog.Begin(ctx); err != nil {
			return fmt.Errorf("%s: %w", run.Catalog, err)
		}
	}
	run.catalog, err = os.OpenRoot(run.Catalog)
	if run.DryRun && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%s: %w", run.Catalog, files.Cause(err))
	}
	if run.recorded, err = readPlain(run.catalog, ImportedPath, maxRecord); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", ImportedPath, files.Cause(err))
	}
	run.record, err = ReadImported(run.catalog)
	return err
}

// reuseFolder sets Into to the folder of all earlier imports, if the catalog lies in the
// repository and none of them is known to come from another one.
func (run *importing) reuseFolder() {
	folder := run.record.onlyFolder()
	if folder == "" || run.isNamed || !within(run.Repository, run.Catalog) {
		return
	}
	for p := range run.record.byPath {
		if run.origins.other(p, run.Repository) != "" {
			return
		}
	}
	run.Into = folder
}

// file imports one file. It skips a file that Render wrote, unless the file was imported
// before; ours is then true.
func (run *importing) file(ctx context.Context, p string) (f ImportFile, ours bool, err error) {
	f = ImportFile{From: p, To: path.Join(run.Into, p), Action: Left, Why: run.links[p]}
	if f.Why != "" {
		return f, false, nil
	}
	read, err := files.ReadIn(run.repository, filepath.FromSlash(p), source.MaxFile)
	if err != nil {
		f.Why = "it cannot be read: " + files.Cause(err).Error()
		return f, false, nil
	}
	text, err := render.Cut(read.Data)
	if err != nil {
		f.Why = err.Error()
		return f, false, nil
	}
	_, known := run.record.At(f.To)
	isOurs := len(text) < len(read.Data) && len(files.TrimByteOrderMark(text)) == 0 || run.isRendered(p)
	if isOurs && !known {
		return f, true, nil
	}
	return f, false, run.decide(ctx, &f, text)
}

// isRendered reports whether the whole file was rendered, according to the repository's
// record.
func (run *importing) isRendered(p string) bool {
	lines := run.rendered.lines[p]
	return len(lines) > 0 && !lines[0].Region
}

// decide compares a file with the catalog's copy, and imports it if no content of the
// catalog would be lost.
func (run *importing) decide(ctx context.Context, f *ImportFile, text []byte) error {
	line, known := run.record.At(f.To)
	now, err := run.inCatalog(f.To)
	gone := errors.Is(err, fs.ErrNotExist)
	switch {
	case err != nil && !gone:
		f.Why = "in the catalog it cannot be read: " + files.Cause(err).Error()
	case gone && known:
		f.Why = "it was removed from the catalog since it was imported: take its line out of " + ImportedPath + " to import it again"
	case gone:
		return run.put(f, Copied, nil, text)
	case string(now) == string(text):
		return run.put(f, Unchanged, now, text)
	case !known:
		f.Why = "the catalog has another file there: move one of the two, or name another folder with --into"
	case hashOf(now) != line.SHA256:
		f.Why = "it was edited in the catalog since it was imported: render the catalog, or make the two alike"
	default:
		if other := run.origins.other(f.To, run.Repository); other != "" && !run.IsSame(ctx, other, run.Repository) {
			f.Why = fmt.Sprintf("the catalog has the file of another repository there, %s: name another folder with --into", other)
			return nil
		}
		return run.put(f, Updated, now, text)
	}
	return nil
}

// put writes a file to the catalog and records it. It leaves the file if another
// program has changed it.
func (run *importing) put(f *ImportFile, action ImportAction, now, text []byte) (err error) {
	f.Action = action
	if !run.DryRun {
		switch action {
		case Copied:
			err = run.session.Create(f.To, text)
		case Updated:
			err = run.session.Replace(f.To, now, text)
		}
	}
	if errors.Is(err, write.ErrChanged) || errors.Is(err, fs.ErrExist) {
		f.Action, f.Why = Left, write.ErrChanged.Error()
		return nil
	}
	if err == nil && (action != Unchanged || run.origins.Repositories[f.To] == "") {
		run.origins.set(f.To, run.Repository)
	}
	if err == nil && run.record.set(ImportedFile{Folder: run.Into, Path: f.From, SHA256: hashOf(text)}) {
		run.changed = true
	}
	return err
}

// inCatalog returns the content of the file at p in the catalog.
func (run *importing) inCatalog(p string) ([]byte, error) {
	if run.catalog == nil {
		return nil, fs.ErrNotExist
	}
	return readPlain(run.catalog, p, source.MaxFile)
}

// save writes the records if they have changed.
func (run *importing) save() error {
	if run.DryRun {
		return nil
	}
	if err := run.origins.save(); err != nil || !run.changed {
		return err
	}
	text, err := run.record.encode(), error(nil)
	if run.recorded == nil {
		err = run.session.Create(ImportedPath, text)
	} else {
		err = run.session.Replace(ImportedPath, run.recorded, text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", ImportedPath, err)
	}
	return nil
}

// readPlain reads a regular file. It returns an error for a symbolic link.
func readPlain(root *os.Root, name string, limit int) ([]byte, error) {
	info, err := root.Lstat(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, files.ErrNotRegular
	}
	f, err := files.ReadIn(root, filepath.FromSlash(name), limit)
	return f.Data, err
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
