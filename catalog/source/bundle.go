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

// BundleNames says how a bundle is named, for a message.
const BundleNames = "NAME.jsonl or NAME.jsonl.zst"

// IsBundleName reports whether a path is that of a bundle. No other file is
// taken for one: each of its lines would be an error.
func IsBundleName(path string) bool {
	return strings.HasSuffix(path, ".jsonl") || strings.HasSuffix(path, ".jsonl.zst")
}

// Bundle is a whole catalog in one file: on each line an instruction, in the
// form of a JSON instruction file (JSON Lines, https://jsonlines.org), and on the
// first one its policy gates, if it has any: {"gates.json": …}. Lines with its sum and
// the signature of that come next, if it has them; see [Beside]. Blank lines are
// passed over, and \r\n and a byte order mark are tolerated. The file may be
// compressed with Zstandard (RFC 8878). One bundle after another is a bundle, if
// only the first has gates and a sum.
type Bundle struct {
	path string

	mu   sync.Mutex
	last *bundleState
}

// NewBundle returns the bundle at path. Nothing is read yet.
func NewBundle(path string) *Bundle { return &Bundle{path: path, last: &bundleState{}} }

// Load reads every line into a snapshot; it is a [catalog.Load]. Whatever is
// wrong with a line becomes a diagnostic of the snapshot, and of two lines with
// one id the first is served. Load itself fails when the file cannot be read or
// decompressed to its end: a part of a catalog may lack what matters.
//
// A later Load returns the same snapshot if the file has not changed, else it
// interprets the lines that are new. It fails when a file that had entries breaks off
// within a line, as while somebody writes it, or has none any more, as when another
// text was saved in its place. A line that was an entry and now is broken stays the
// entry that it was, with a diagnostic.
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

// Reread reads every line again and calls found with its body; it is a
// [catalog.Reread]. It leaves out entries that the bundle no longer has, or that it
// can no longer read.
func (b *Bundle) Reread(ctx context.Context, _ []*catalog.Entry, found func(catalog.ID, string)) error {
	err := b.read(func(reader *lineReader, info fs.FileInfo) error {
		return b.each(ctx, reader, info.ModTime(), func(_ *line, d format.File) format.Outcome { return format.Decode(d) }, func(_ line, o format.Outcome) error {
			if o.Entry != nil {
				found(o.Entry.ID, o.Entry.Body.Text())
			}
			return nil
		})
	}) // what follows another error of reading is left out
	if files.Exhausted(err) {
		return explain("bundle", b.path, err)
	}
	return ctx.Err()
}

// Gates returns the content of the gates.json that the bundle carries, nil if it
// carries none. It is read anew by each call.
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

// name is the bundle's path within its folder.
func (b *Bundle) name() string {
	return strings.ToValidUTF8(filepath.Base(b.path), "\uFFFD")
}

// each reads lines, a batch at a time, makes something of each on every processor,
// and hands that on in the order of the lines.
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

// read opens the bundle and hands its lines to use, and what its folder says of it.
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

// interpret makes an entry of a line, or says why there is none.
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
		return problem(GatesElsewhere, "gates stand here that are not evaluated: put them on the first line of the bundle, together with those that stand there")
	case name != catalog.GatesFile && !l.head:
		return problem(BundlePart, "a part of %s stands here, below entries, and is not read: a bundle has one at its beginning; write it with `catalog bundle`", name)
	}
	return format.Outcome{}
}

// maxPerSeverity limits the diagnostics of each severity for one bundle. Nobody reads
// more, and a file of a gigabyte could cause 500 million.
const maxPerSeverity = 10_000

// findings are the first diagnostics of a bundle and the number of all. The zero
// value has none.
type findings struct {
	kept  []catalog.Diagnostic
	count map[catalog.Severity]int // of those kept and those that are not
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

// all returns the diagnostics of the bundle of that name, and one that counts those
// left out.
func (f *findings) all(name string) []catalog.Diagnostic {
	for _, severity := range []catalog.Severity{catalog.SeverityError, catalog.SeverityWarning, catalog.SeverityNote} {
		if n := f.count[severity]; n > maxPerSeverity {
			f.kept = append(f.kept, catalog.Diagnostic{Path: name, Severity: severity, Rule: format.FileMore, Message: fmt.Sprintf(
				"%d diagnostics of severity %s are left out, of this bundle with %d: mend the first of them", n-maxPerSeverity, severity, n)})
		}
	}
	return f.kept
}
