package source

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// BundleNames says how a bundle is named, for a message.
const BundleNames = "NAME.jsonl or NAME.jsonl.zst"

// IsBundleName reports whether a path is that of a bundle. No other file is
// taken for one: each of its lines would be an error.
func IsBundleName(path string) bool {
	return strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".jsonl.zst")
}

// Bundle is a whole catalog in one file: on each line an instruction, in the
// form of a JSON instruction file (JSON Lines, https://jsonlines.org). Blank
// lines are passed over, and \r\n and a byte order mark are tolerated. The file
// may be compressed with Zstandard (RFC 8878). One bundle after another is a
// bundle.
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
	err := b.each(ctx, func(r *readings) {
		entries = append(entries, r.entries...)
		said.merge(&r.said)
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
	_ = b.each(ctx, func(r *readings) {
		for _, e := range r.entries {
			found(e.ID, e.Body.Text())
		}
	}) // what follows an error of reading is left out
	return ctx.Err()
}

// name is the bundle's path within its folder.
func (b *Bundle) name() string {
	return strings.ToValidUTF8(filepath.Base(b.path), "\uFFFD")
}

// each reads the bundle on every processor and hands what came of it to use, in
// the order of the lines.
func (b *Bundle) each(ctx context.Context, use func(*readings)) error {
	opened, info, err := files.Open(b.path)
	if err != nil {
		return err
	}
	defer opened.Close()
	lines, err := expand(opened, info)
	if err != nil {
		return err
	}
	defer lines.Close()
	l := lineReader{path: b.name(), modified: info.ModTime()}
	return l.readAll(ctx, &cutter{r: lines}, use)
}

// lineReader makes entries of lines.
type lineReader struct {
	path     string
	modified time.Time
}

// readings is what came of some lines.
type readings struct {
	entries []*catalog.Entry
	said    findings
}

func (l *lineReader) read(r run) *readings {
	var out readings
	if r.tooLong {
		out.said.add(l.tooLong(r.first))
		return &out
	}
	for line := range r.lines() {
		if line.blank() {
			continue
		}
		if len(line.data) > maxLine {
			out.said.add(l.tooLong(line.number))
			continue
		}
		one := interpret(l.file(line.number, line.data))
		out.said.add(one.diagnostics...)
		if one.entry != nil {
			out.entries = append(out.entries, one.entry)
		}
	}
	return &out
}

func (l *lineReader) tooLong(number int) catalog.Diagnostic {
	return *l.file(number, nil).problem(number, "the line has more than %d MiB and was not read: split the instruction up", maxLine>>20)
}

func (l *lineReader) file(number int, data []byte) file {
	return file{path: l.path, line: number, modified: l.modified, data: data}
}
