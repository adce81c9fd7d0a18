package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// maxFile is the size in bytes up to which a file is read.
const maxFile = 4 << 20

var (
	errNotRegular = errors.New("this is no regular file and was not opened: put a file here, or begin the name with '_' to leave it out")
	errTooLarge   = fmt.Errorf("the file is larger than %d MiB and was not read: split it up", maxFile>>20)
)

// file is an instruction file as it was found, or a line of a bundle.
type file struct {
	path     string // within the catalog, with slashes; of a bundle its name
	line     int    // in the bundle, from 1; 0 for a file of its own
	modified time.Time
	id       identity
	data     []byte // good until the next file is read into the same buffer
}

// reading is what came of one file.
type reading struct {
	entry       *catalog.Entry // nil if there is none
	diagnostics []catalog.Diagnostic

	path   string
	id     identity // of the file that was read; unknown where it is not to be remembered
	record []byte   // what was remembered, where the file was not read
}

// readAll finds and reads the files below root on every processor. The readings
// come batch by batch in no particular order: a snapshot brings its own. Its error
// is that of ctx or of reading the root itself.
//
// What is remembered is waited for when the first file has been found. The walker
// does not wait, and meanwhile does what the readers would have to: it may be so
// many batches ahead.
func readAll(ctx context.Context, root *os.Root, recalled *recall) ([][]reading, error) {
	const ahead = 256
	g, ctx := errgroup.WithContext(ctx)
	found := make(chan batch, ahead)
	w := walker{root: root, found: found, places: make(chan struct{}, mostOpen), idle: func() bool { return !recalled.ready() }}
	g.Go(func() error {
		defer close(found)
		return w.walk(ctx, ".")
	})
	parts := make([][][]reading, runtime.GOMAXPROCS(0))
	for i := range parts {
		g.Go(func() (err error) {
			parts[i], err = readFound(ctx, found, recalled)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return append(slices.Concat(parts...), []reading{{diagnostics: w.diagnostics}}), nil
}

// readFound reads until there are no more batches. Once ctx has ended it takes what
// is left without reading it, so that every folder is closed.
func readFound(ctx context.Context, batches <-chan batch, recalled *recall) (all [][]reading, err error) {
	var r reader
	for batch := range batches {
		if ctx.Err() == nil {
			all = append(all, r.readBatch(batch, recalled.wait()))
		}
		batch.in.done()
	}
	return all, ctx.Err()
}

// reader reads one file after the other.
type reader struct {
	buf      files.Buffer
	sealer   catalog.Sealer
	unpacker catalog.Unpacker
}

func (r *reader) readBatch(b batch, m *memory) []reading {
	readings := make([]reading, len(b.files))
	for i := range b.files {
		readings[i] = r.read(b.in, &b.files[i], m)
	}
	return readings
}

// read returns what is remembered of a file if it is unchanged, else it reads it.
func (r *reader) read(in *shared, found *found, m *memory) reading {
	remembered, ok := m.take(found.path, &r.unpacker, func() identity { return found.look(in) })
	if ok {
		return remembered
	}
	f, err := readFile(found.path, func() (files.File, error) { return in.Read(found.Name, maxFile, &r.buf) })
	if err != nil {
		return reading{diagnostics: []catalog.Diagnostic{{
			Path: found.path, Severity: catalog.SeverityError, Message: err.Error(),
		}}}
	}
	out := interpret(f, &r.sealer)
	if out.path = f.path; !isLink(found.Member) {
		out.id = f.id
	}
	return out
}

// interpret makes an entry of a file, or says why there is none.
func interpret(f file, sealer *catalog.Sealer) reading {
	doc, problem := parse(f)
	if problem != nil {
		return reading{diagnostics: []catalog.Diagnostic{*problem}}
	}
	defer doc.release()
	entry, diagnostics := normalise(doc, sealer)
	return reading{entry: entry, diagnostics: diagnostics}
}

// readFile reads the file of that path. Its errors are fit for a diagnostic.
func readFile(path string, read func() (files.File, error)) (file, error) {
	f, err := read()
	switch {
	case errors.Is(err, files.ErrNotRegular):
		return file{}, errNotRegular
	case errors.Is(err, files.ErrTooLarge):
		return file{}, errTooLarge
	case err != nil:
		return file{}, fmt.Errorf("the file cannot be read (%w): mend that, or begin its name with '_' to leave it out", files.Cause(err))
	}
	return file{path: path, modified: f.Modified, id: identify(f.Info), data: f.Data}, nil
}
