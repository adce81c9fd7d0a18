package source

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/zstd"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/schemas/jsonscan"
)

// IsCompressedName reports whether the name of a bundle says that it is
// compressed. One that is may have another name.
func IsCompressedName(path string) bool { return strings.HasSuffix(path, ".zst") }

// WriteBundle writes the entries of a snapshot as a bundle, in id order, and
// before them what stands beside the entries. It tells
// progress now and then how many entries are done of how many. Equal snapshots
// give equal bytes, compressed ones with the same build of the program. What is
// read from them is the same snapshot, with the same hash and revision; a time
// that is its file's is then that of the bundle.
//
// The error is that of the writer or of ctx, or names an entry whose line would be too
// long to be read: a body may have more bytes as JSON than it has in Markdown.
func WriteBundle(ctx context.Context, w io.Writer, s *catalog.Snapshot, beside Beside, compressed bool, progress func(done, total int)) error {
	if !compressed {
		return writeLines(ctx, w, s, beside, progress)
	}
	encoder, err := zstd.NewWriter(w, zstd.WithWindowSize(maxWindow), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	return errors.Join(writeLines(ctx, encoder, s, beside, progress), encoder.Close())
}

func writeLines(ctx context.Context, w io.Writer, s *catalog.Snapshot, beside Beside, progress func(done, total int)) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	if err := beside.write(buffered); err != nil {
		return err
	}
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

// writeGates writes the first line of a bundle that carries gates.
func writeGates(w io.Writer, gates []byte) error {
	if gates == nil {
		return nil
	}
	gates = files.TrimByteOrderMark(gates)
	if err := jsonscan.Check(gates); err != nil {
		return fmt.Errorf("%s: it is not valid JSON and cannot be part of a bundle (%w): mend it, or remove it", catalog.GatesFile, err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, gates); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "{%q:%s}\n", catalog.GatesFile, &compact)
	return err
}
