package source

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/zstd"
)

const (
	// maxWindow is the maximum window size of a compressed bundle, in bytes. It bounds
	// the memory for decompression. RFC 8878, section 3.1.1.1.2, recommends that every
	// decoder support it, and zstd uses no larger window up to level 19.
	maxWindow = 8 << 20
	// A bundle may expand to the larger of maxExpansion times its size and freeExpansion
	// bytes. Instructions compress to between a third and a tenth of their size.
	maxExpansion  = 20
	freeExpansion = MaxFile
	// A compressed bundle may have up to one line per bytesPerLine bytes of its
	// compressed size, or up to freeLines if that is more.
	bytesPerLine = 32
	freeLines    = 10_000
)

// mostLines returns the maximum number of lines for a compressed bundle of the given
// size in bytes.
func mostLines(size int64) int { return int(min(maxLines, max(freeLines, size/bytesPerLine))) }

var (
	// errCutToNothing means that the file is empty, although compressed data has at
	// least one frame.
	errCutToNothing = errors.New("it is empty, which compressed data never is: copy it again")
	errNotZstd      = errors.New("it is named .zst, but does not begin like data compressed with Zstandard: " +
		"copy it again if it was cut short, name it NAME.jsonl if it is plain text, or write it again with `catalog bundle`")
	errGzip   = errors.New("it is compressed with gzip: decompress it, or compress it with Zstandard instead")
	errBinary = errors.New("it contains binary data or UTF-16: save it as text in UTF-8, or write it again with `catalog bundle --out`")
)

var errExpands = fmt.Errorf("it expands to more than %d times its size, which instructions never do: if that is intended, decompress it and name it NAME.jsonl", maxExpansion)

// expand returns a reader of the file's content, which decompresses it if it is
// compressed. A file that does not begin with text is an error as a whole, because it
// has no lines to report individually.
func expand(f *os.File, info fs.FileInfo) (io.ReadCloser, error) {
	var start [512]byte
	n, err := f.ReadAt(start[:], 0)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch begin := start[:n]; {
	case isZstd(begin):
		return decompress(f, info)
	case bytes.HasPrefix(begin, gzipMagic):
		return nil, errGzip
	case info.Size() == 0 && IsCompressedName(f.Name()):
		return nil, errCutToNothing
	case IsCompressedName(f.Name()):
		return nil, errNotZstd
	case bytes.IndexByte(begin, 0) >= 0: // JSON text does not contain null bytes
		return nil, errBinary
	}
	return io.NopCloser(f), nil
}

// gzipMagic is the beginning of every gzip file (RFC 1952, section 2.3.1).
var gzipMagic = []byte{0x1f, 0x8b}

func decompress(f *os.File, info fs.FileInfo) (io.ReadCloser, error) {
	if err := checkFrames(io.NewSectionReader(f, 0, info.Size()), info.Size()); err != nil {
		return nil, err
	}
	decoder, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		return nil, err
	}
	return &expansion{decoder.IOReadCloser(), max(freeExpansion, maxExpansion*info.Size())}, nil
}

// isZstd reports whether begin is the beginning of a Zstandard frame (RFC 8878, section
// 3.1), or of a skippable frame, which some compressors write first. JSON never begins
// like this.
func isZstd(begin []byte) bool {
	const frame, skippable = "\x28\xb5\x2f\xfd", "\x2a\x4d\x18"
	if len(begin) < len(frame) {
		return false
	}
	return string(begin[:4]) == frame || begin[0]&0xf0 == 0x50 && string(begin[1:4]) == skippable
}

// expansion is a decompressed stream that returns an error once it exceeds its maximum
// length.
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
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded): // the latter for a frame without a window
		err = fmt.Errorf("it was compressed with a window of more than %d MiB: compress it with less, as zstd does without --long and --ultra", maxWindow>>20)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("the compressed data is cut short: copy it again")
	default:
		err = fmt.Errorf("the compressed data is damaged: %w", err)
	}
	return n, err
}

var errUnchecked = errors.New("it is compressed without checksums, so damage would go unnoticed: " +
	"compress it again with them, as zstd does without --no-check, or write it again with `catalog bundle`")

// A compressed stream may have up to one frame or block per bytesPerPart bytes of its
// size, or up to freeParts if that is more. The limit exists because every part costs
// time, even an empty one. A block contains up to 128 KiB.
const (
	bytesPerPart = 256
	freeParts    = 10_000
)

var errParts = errors.New("it has more compressed parts than instructions of its size ever have: " +
	"compress it again as zstd does, or write it again with `catalog bundle`")

// checkFrames checks the frames of a compressed stream of the given size. It returns an
// error if there are too many frames and blocks, or if a frame has no checksum of its
// content (RFC 8878, section 3.1.1). It ignores other defects, because decompression
// finds them.
func checkFrames(r io.Reader, size int64) error {
	left := max(freeParts, size/bytesPerPart)
	stream := bufio.NewReaderSize(r, 64<<10)
	for ; left > 0; left-- {
		begin, _ := stream.Peek(zstd.HeaderMaxSize) // shorter at the end of the stream
		var frame zstd.Header
		if frame.Decode(begin) != nil {
			return nil
		}
		_, err := stream.Discard(frame.HeaderSize)
		switch {
		case err != nil:
			return nil
		case frame.Skippable:
			_, err = stream.Discard(int(frame.SkippableSize))
		case !frame.HasCheckSum:
			return errUnchecked
		default:
			err = skipContent(stream, &left)
		}
		if err != nil {
			return nil
		}
	}
	return errParts
}

// skipContent skips the blocks of a frame and the checksum after them (section 3.1.1.2).
// It decrements left for each block, and stops when left is 0.
func skipContent(stream *bufio.Reader, left *int64) error {
	const checksum, lastBlock, repeatedByte = 4, 1, 1
	for ; *left > 0; *left-- {
		var head [3]byte
		if _, err := io.ReadFull(stream, head[:]); err != nil {
			return err
		}
		block := int(head[0]) | int(head[1])<<8 | int(head[2])<<16
		size := block >> 3
		if block>>1&3 == repeatedByte {
			size = 1
		}
		if _, err := stream.Discard(size); err != nil {
			return err
		}
		if block&lastBlock != 0 {
			_, err := stream.Discard(checksum)
			return err
		}
	}
	return nil
}
