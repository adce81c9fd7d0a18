package source

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/schemas/jsonscan"
)

// BundleNames says how a bundle is named, for a message.
const BundleNames = "NAME.jsonl or NAME.jsonl.zst"

// IsBundleName reports whether a path is that of a bundle. No other file is
// taken for one: each of its lines would be an error.
func IsBundleName(path string) bool {
	return strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".jsonl.zst")
}

// Bundle is a whole catalog in one file: on each line an instruction, in the
// form of a JSON instruction file (JSON Lines, https://jsonlines.org), and on the
// first one its policy gates, if it has any: {"gates.json": …}. Blank lines are
// passed over, and \r\n and a byte order mark are tolerated. The file may be
// compressed with Zstandard (RFC 8878). One bundle after another is a bundle, if
// only the first has gates.
type Bundle struct{ path string }

// NewBundle returns the bundle at path. Nothing is read yet.
func NewBundle(path string) *Bundle { return &Bundle{path} }

// Load reads every line into a snapshot; it is a [catalog.Load]. Whatever is
// wrong with a line becomes a diagnostic of the snapshot, and of two lines with
// one id the first is served. Load itself fails when the file cannot be read or
// decompressed to its end: a part of a catalog may lack what matters.
func (b *Bundle) Load(ctx context.Context) (*catalog.Snapshot, error) {
	var entries []*catalog.Entry
	var said findings
	err := b.each(ctx, func(r reading) {
		said.add(r.diagnostics...)
		if r.entry != nil {
			entries = append(entries, r.entry)
		}
	})
	if err != nil {
		return nil, explain("bundle", b.path, err)
	}
	return catalog.NewSnapshot(entries, said.all(b.name())), nil
}

// Reread reads every line again and tells found which body it holds now; it is a
// [catalog.Reread]. Left out is what the bundle no longer has, or what stands
// where it cannot be read any more.
func (b *Bundle) Reread(ctx context.Context, _ []*catalog.Entry, found func(catalog.ID, string)) error {
	_ = b.each(ctx, func(r reading) {
		if r.entry != nil {
			found(r.entry.ID, r.entry.Body.Text())
		}
	}) // what follows an error of reading is left out
	return ctx.Err()
}

// Gates returns the content of the gates.json that the bundle carries, nil if it
// carries none. It is read anew by each call.
func (b *Bundle) Gates() (json.RawMessage, error) {
	var gates json.RawMessage
	err := b.read(func(lines *lineReader, _ time.Time) error {
		first, err := lines.next()
		if err == nil {
			gates, _ = gatesOf(first)
		}
		if err == io.EOF {
			return nil
		}
		return err
	})
	if err != nil {
		return nil, explain("bundle", b.path, err)
	}
	return gates, nil
}

// gatesFile is the file of a catalog, and the member of a bundle, that has gates.
const gatesFile = "gates.json"

// gatesOf returns the gates that a line carries.
func gatesOf(l line) (gates json.RawMessage, ok bool) {
	text := files.TrimByteOrderMark(l.data)
	s := jsonscan.New(text)
	for name := range s.Members() {
		if string(name) != gatesFile || gates != nil {
			return nil, false
		}
		gates = s.Raw()
	}
	if gates == nil || !json.Valid(text) {
		return nil, false
	}
	return gates, true
}

// name is the bundle's path within its folder.
func (b *Bundle) name() string {
	return strings.ToValidUTF8(filepath.Base(b.path), "\uFFFD")
}

// each reads the bundle, a batch of lines at a time on every processor, and hands
// what came of each line to use, in their order.
func (b *Bundle) each(ctx context.Context, use func(reading)) error {
	return b.read(func(lines *lineReader, modified time.Time) error {
		for {
			batch, readErr := lines.batch()
			readings := make([]reading, len(batch))
			err := inParallel(ctx, len(batch), func(i int) { readings[i] = b.interpret(batch[i], modified) })
			if err != nil {
				return err
			}
			for _, r := range readings {
				use(r)
			}
			switch {
			case readErr == io.EOF:
				return nil
			case readErr != nil:
				return readErr
			}
		}
	})
}

// read opens the bundle and hands its lines to use, and when it was last modified.
func (b *Bundle) read(use func(lines *lineReader, modified time.Time) error) error {
	opened, info, err := files.Open(b.path)
	if err != nil {
		return err
	}
	defer opened.Close()
	stream, err := expand(opened, info)
	if err != nil {
		return err
	}
	defer stream.Close()
	return use(newLineReader(stream), info.ModTime())
}

// interpret makes an entry of a line, or says why there is none.
func (b *Bundle) interpret(l line, modified time.Time) reading {
	f := file{path: b.name(), line: l.number, modified: modified, data: l.data}
	switch {
	case l.blank():
		return reading{}
	case l.tooLong:
		return reading{diagnostics: []catalog.Diagnostic{
			*f.problem(l.number, "the line has more than %d MiB and was not read: split the instruction up", maxLine>>20),
		}}
	}
	if _, ok := gatesOf(l); ok {
		if l.number == 1 {
			return reading{}
		}
		return reading{diagnostics: []catalog.Diagnostic{
			*f.problem(l.number, "gates stand here that are not evaluated: put them on the first line of the bundle, together with those that stand there"),
		}}
	}
	return interpret(f)
}
