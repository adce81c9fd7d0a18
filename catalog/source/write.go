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

// IsCompressedName reports whether the name of a bundle says that it is compressed. A
// compressed bundle may have another name.
func IsCompressedName(path string) bool { return strings.HasSuffix(path, ".zst") }

// WriteBundle writes a bundle: the metadata files, then the entries of the snapshot in
// id order. From time to time, it calls progress with the number of entries written and
// the total. Equal snapshots yield equal bytes; if compressed, only with the same build
// of the program. Reading the bundle yields the same snapshot, with the same hash and
// revision, except that a time taken from the file system becomes the modification time
// of the bundle.
//
// The error is that of the writer or of ctx, or says that gates.json is invalid or that
// an entry's line would be too long to read. A body may need more bytes as JSON than in
// Markdown.
func WriteBundle(ctx context.Context, w io.Writer, s *catalog.Snapshot, metadata Metadata, compressed bool, progress func(done, total int)) error {
	if !compressed {
		return writeLines(ctx, w, s, metadata, progress)
	}
	encoder, err := zstd.NewWriter(w, zstd.WithWindowSize(maxWindow), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return err
	}
	return errors.Join(writeLines(ctx, encoder, s, metadata, progress), encoder.Close())
}

func writeLines(ctx context.Context, w io.Writer, s *catalog.Snapshot, metadata Metadata, progress func(done, total int)) error {
	buffered := bufio.NewWriterSize(w, 64<<10)
	if err := metadata.write(buffered); err != nil {
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

// writeGates writes the line for gates.json, which is the first one of a bundle. It
// writes nothing if gates is nil.
func writeGates(w io.Writer, gates []byte) error {
	if gates == nil {
		return nil
	}
	gates = files.TrimByteOrderMark(gates)
	if err := jsonscan.Check(gates); err != nil {
		return fmt.Errorf("%s: it is not valid JSON and cannot be part of a bundle (%w): fix it, or remove it", catalog.GatesFile, err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, gates); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "{%q:%s}\n", catalog.GatesFile, &compact)
	return err
}
