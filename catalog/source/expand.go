package source

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"
)

const (
	// maxWindow is how far back a compressed bundle may refer, in bytes, and so
	// what decompressing takes of memory. Every decoder should support as much
	// (RFC 8878, section 3.1.1.1.2), and zstd asks for no more up to level 19.
	maxWindow = 8 << 20
	// A bundle may expand to mostExpansion times its size, or to freeExpansion
	// bytes where that is more. Instructions compress to a third or a tenth.
	mostExpansion = 100
	freeExpansion = 64 << 20
)

var (
	// errCutToNothing says that not even the frame is there that an empty catalog has.
	errCutToNothing = errors.New("it is empty, which compressed data never is: copy it again")
	errNotZstd      = errors.New("it is named .zst, but does not begin as what is compressed with Zstandard does: " +
		"copy it again if it was cut short, name it NAME.jsonl if it is plain text, or write it anew with `catalog bundle`")
)

var errExpands = fmt.Errorf("it expands to more than %d times its size, which no instructions do", mostExpansion)

// expand returns what a file holds: decompressed as it is read, if it was
// compressed.
func expand(f *os.File, info fs.FileInfo) (io.ReadCloser, error) {
	var magic [4]byte
	if _, err := f.ReadAt(magic[:], 0); err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case isZstd(magic):
		return decompress(f, info)
	case !IsCompressedName(f.Name()):
		return io.NopCloser(f), nil
	case info.Size() == 0:
		return nil, errCutToNothing
	}
	return nil, errNotZstd
}

func decompress(f *os.File, info fs.FileInfo) (io.ReadCloser, error) {
	decoder, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return &expansion{decoder.IOReadCloser(), max(freeExpansion, mostExpansion*info.Size())}, nil
}

// isZstd reports whether a frame begins here (RFC 8878, section 3.1), or one to
// be skipped, which some compressors put first. No JSON does.
func isZstd(magic [4]byte) bool {
	const frame, skippable = "\x28\xb5\x2f\xfd", "\x2a\x4d\x18"
	return string(magic[:]) == frame || magic[0]&0xf0 == 0x50 && string(magic[1:]) == skippable
}

// expansion is a decompressed stream that ends with an error when there is more
// of it than may be.
type expansion struct {
	io.ReadCloser
	left int64
}

func (e *expansion) Read(p []byte) (int, error) {
	n, err := e.ReadCloser.Read(p)
	if e.left -= int64(n); e.left < 0 {
		return 0, errExpands
	}
	switch {
	case err == nil || err == io.EOF:
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded): // of a frame without a window
		err = fmt.Errorf("it was compressed with a window of more than %d MiB: compress it with less, as zstd does without --long and --ultra", maxWindow>>20)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the compressed data breaks off: copy it again")
	default:
		err = fmt.Errorf("the compressed data is damaged: %w", err)
	}
	return n, err
}
