package source

import (
	"bytes"
	"context"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// Reread reads the file of each entry again, on every processor, and tells found
// which body it holds now; it is a [catalog.Reread]. Left out are entries whose
// file is gone, cannot be read, or holds no body any more.
func (f *Folder) Reread(ctx context.Context, entries []*catalog.Entry, found func(catalog.ID, string)) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	const batch = 32
	for part := range slices.Chunk(entries, batch) {
		g.Go(func() error { return f.rereadFew(ctx, part, found) })
	}
	return g.Wait()
}

func (f *Folder) rereadFew(ctx context.Context, entries []*catalog.Entry, found func(catalog.ID, string)) error {
	root, err := f.open()
	if err != nil {
		return ctx.Err() // the folder is gone, and with it every entry
	}
	defer root.Close()
	var buf bytes.Buffer
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		file, err := readFile(e.Origin.Path, func() (files.File, error) { return files.ReadIn(root, e.Origin.Path, maxFile, &buf) })
		if err != nil {
			continue
		}
		if doc, problem := parse(file); problem == nil {
			if body, ok := doc.body(); ok {
				found(e.ID, body)
			}
			doc.release()
		}
	}
	return nil
}

// body returns the one body of the document.
func (d *document) body() (string, bool) {
	var bodies []value
	for _, f := range d.fields {
		if f.name == "body" {
			bodies = append(bodies, f.value)
		}
	}
	if len(bodies) != 1 || bodies[0].kind != text {
		return "", false
	}
	return bodies[0].text, true
}
