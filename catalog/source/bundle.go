package source

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/format"
)

// BundleNames describes the file names of bundles, for use in messages.
const BundleNames = "NAME.jsonl or NAME.jsonl.zst"

// IsBundleName reports whether a path has the file name of a bundle. No other file is
// read as a bundle, because each of its lines would be an error.
func IsBundleName(path string) bool {
	return strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".jsonl.zst")
}

// Bundle is a whole catalog in one file, as JSON Lines (https://jsonlines.org). Each
// line is an instruction in the form of a JSON instruction file. If the catalog has
// policy gates, they are on the first line: {"gates.json": …}. Lines with its criteria,
// its sum and the signature of the sum follow, if it has them; see [Metadata]. Blank
// lines, \r\n and a byte order mark are accepted. The file may be compressed with
// Zstandard (RFC 8878). The concatenation of bundles is a bundle if only the first
// contains metadata files.
type Bundle struct {
	path string

	mu   sync.Mutex
	last *bundleState
}

// NewBundle returns the bundle at path. It reads nothing.
func NewBundle(path string) *Bundle { return &Bundle{path: path, last: &bundleState{}} }

// Load reads every line into a snapshot; it is a [catalog.Load]. A problem with a line
// becomes a diagnostic of the snapshot. If two lines have the same id, the first is
// served. Load fails if the file cannot be read or decompressed completely, because a
// partial catalog may lack important entries. It also fails if more than maxBroken lines
// are broken.
//
// A later Load returns the same snapshot if the file has not changed. Otherwise it
// decodes only the lines that are new. If the file had entries, a later Load fails if it
// now ends in a broken line without a newline (for example during a write). It also
// fails if there is no entry left and there are fewer broken lines than there were
// entries (for example because other text was saved to the file). If a line that was an
// entry is now broken, the previous entry is still served, with a diagnostic.
func (b *Bundle) Load(ctx context.Context) (*catalog.Snapshot, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	err := b.read(func(reader *lineReader, info fs.FileInfo) error {
		next := b.last.after(info)
		if b.last.identity.Same(next.identity) {
			return nil
		}
		if err := b.each(ctx, reader, info.ModTime(), next.read, next.add); err != nil {
			return err
		}
		if err := next.finish(b.name()); err != nil {
			return err
		}
		b.last = next
		return nil
	})
	if err != nil {
		return nil, explain("bundle", b.path, err)
	}
	return b.last.snapshot, nil
}

// Reread reads every line again and calls found with its body; it is a [catalog.Reread].
// It omits entries that have been removed from the bundle or can no longer be read. It
// fails only if ctx is done or no more files can be opened.
func (b *Bundle) Reread(ctx context.Context, _ []*catalog.Entry, found func(catalog.ID, string)) error {
	err := b.read(func(reader *lineReader, info fs.FileInfo) error {
		return b.each(ctx, reader, info.ModTime(), func(_ *line, d format.File) format.Outcome { return format.Decode(d) }, func(_ line, o format.Outcome) error {
			if o.Entry != nil {
				found(o.Entry.ID, o.Entry.Body.Text())
			}
			return nil
		})
	}) // lines after any other read error are omitted
	if files.Exhausted(err) {
		return explain("bundle", b.path, err)
	}
	return ctx.Err()
}

// Gates returns the content of gates.json in the bundle, or nil if the bundle does not
// contain it. Each call reads the bundle again.
func (b *Bundle) Gates() (json.RawMessage, error) {
	var gates json.RawMessage
	err := b.read(func(lines *lineReader, _ fs.FileInfo) error {
		first, err := lines.next()
		if name, value := carriedBy(first); err == nil && name == catalog.GatesFile {
			gates = value
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

// name returns the file name of the bundle. Invalid UTF-8 in it is replaced.
func (b *Bundle) name() string {
	return strings.ToValidUTF8(filepath.Base(b.path), "\uFFFD")
}

// each reads the lines a batch at a time. It calls read for the lines of a batch on all
// processors, and then use with each outcome, in the order of the lines.
func (b *Bundle) each(ctx context.Context, lines *lineReader, modified time.Time, read func(*line, format.File) format.Outcome, use func(line, format.Outcome) error) error {
	inHead := true
	for {
		batch, readErr := lines.batch()
		inHead = markHead(batch, inHead)
		outcomes := make([]format.Outcome, len(batch))
		err := inParallel(ctx, len(batch), func(share iter.Seq[int]) {
			for i := range share {
				outcomes[i] = b.interpret(&batch[i], modified, read)
			}
		})
		if err != nil {
			return err
		}
		for i, o := range outcomes {
			if err := use(batch[i], o); err != nil {
				return err
			}
		}
		lines.tell(progressOf(ctx))
		switch {
		case readErr == io.EOF:
			return nil
		case readErr != nil:
			return readErr
		}
	}
}

// read opens the bundle and calls use with a reader of its decompressed lines and the
// file's FileInfo.
func (b *Bundle) read(use func(lines *lineReader, info fs.FileInfo) error) error {
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
	lines := newLineReader(stream)
	lines.file, lines.size = opened, int(info.Size())
	if _, compressed := stream.(*expansion); compressed {
		lines.most = mostLines(info.Size())
	}
	return use(lines, info)
}

// interpret decodes a line into an entry, or into a diagnostic if it is not one.
func (b *Bundle) interpret(l *line, modified time.Time, read func(*line, format.File) format.Outcome) format.Outcome {
	d := format.File{Path: b.name(), Line: l.number, Modified: modified, Data: l.data}
	problem := func(rule, message string, args ...any) format.Outcome {
		return format.Outcome{Diagnostics: []catalog.Diagnostic{{
			Path: d.Path, Line: d.Line, Severity: catalog.SeverityError, Message: fmt.Sprintf(message, args...), Rule: rule,
		}}}
	}
	if l.tooLong {
		return problem(format.FileTooLarge, "the line has more than %d MiB and was not read: split the instruction up", maxLine>>20)
	}
	switch name, _ := carriedBy(*l); {
	case name == "":
		return read(l, d)
	case name == catalog.GatesFile && l.number > 1:
		return problem(GatesElsewhere, "these gates are not evaluated: put them on the first line of the bundle, together with any gates that are there")
	case name != catalog.GatesFile && !l.head:
		return problem(BundlePart, "this part of %s is below entries and is not read: a bundle has it at its beginning; write it with `catalog bundle`", name)
	}
	return format.Outcome{}
}

// maxPerSeverity is the maximum number of diagnostics of each severity for one bundle.
// Users do not read more than that, and a file of 1 GB could cause 200 million.
const maxPerSeverity = 10_000

// findings holds the first diagnostics of a bundle and counts all of them. The zero
// value has none.
type findings struct {
	kept  []catalog.Diagnostic
	count map[catalog.Severity]int // of all diagnostics, kept or not
}

func (f *findings) add(diagnostics ...catalog.Diagnostic) {
	if f.count == nil {
		f.count = map[catalog.Severity]int{}
	}
	for _, d := range diagnostics {
		if f.count[d.Severity]++; f.count[d.Severity] <= maxPerSeverity {
			f.kept = append(f.kept, d)
		}
	}
}

// all returns the diagnostics kept for the bundle called name. For each severity over
// the limit it adds one that counts those omitted.
func (f *findings) all(name string) []catalog.Diagnostic {
	for _, severity := range []catalog.Severity{catalog.SeverityError, catalog.SeverityWarning, catalog.SeverityNote} {
		if n := f.count[severity]; n > maxPerSeverity {
			f.kept = append(f.kept, catalog.Diagnostic{Path: name, Severity: severity, Rule: format.FileMore, Message: fmt.Sprintf(
				"%d diagnostics of severity %s are left out of the %d for this bundle: fix the first of them", n-maxPerSeverity, severity, n)})
		}
	}
	return f.kept
}
