package source

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"instruction-catalog/catalog"
)

// IsCompressedName reports whether the name of a bundle says that it is
// compressed. One that is may have another name.
func IsCompressedName(path string) bool { return strings.HasSuffix(path, ".zst") }

// WriteBundle writes the entries of a snapshot as a bundle, in id order, and
// tells progress now and then how many are done of how many. Equal snapshots
// give equal bytes, compressed ones with the same build of the program. What is
// read from them is the same snapshot, with the same hash.
//
// The error is that of the writer or of ctx, or names an entry whose line would be too
// long to be read: a body may have more bytes as JSON than it has in Markdown.
func WriteBundle(ctx context.Context, w io.Writer, s *catalog.Snapshot, compressed bool, progress func(done, total int)) error {
	if !compressed {
		return writeLines(ctx, w, s, progress)
	}
	encoder, err := zstd.NewWriter(w, zstd.WithWindowSize(maxWindow), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	return errors.Join(writeLines(ctx, encoder, s, progress), encoder.Close())
}

func writeLines(ctx context.Context, w io.Writer, s *catalog.Snapshot, progress func(done, total int)) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	var record []byte
	for i, e := range s.Entries() {
		record = e.AppendRecord(record[:0])
		if len(record) > maxLine {
			return fmt.Errorf("%s: the entry %q has %d bytes as JSON, and a line of a bundle at most %d: split it up",
				e.Origin, e.ID, len(record), maxLine)
		}
		if _, err := buffered.Write(append(record, '\n')); err != nil {
			return err
		}
		const now = 1000
		if (i+1)%now == 0 {
			progress(i+1, len(s.Entries()))
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return buffered.Flush()
}
