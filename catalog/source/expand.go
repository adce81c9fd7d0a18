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
	// maxWindow is how far back a compressed bundle may refer, in bytes, and so how
	// much memory decompression takes. Every decoder should support as much (RFC
	// 8878, section 3.1.1.1.2), and zstd asks for no more up to level 19.
	maxWindow = 8 << 20
	// A bundle may expand to maxExpansion times its size, or to freeExpansion
	// bytes where that is more. Instructions compress to a third or a tenth.
	maxExpansion  = 20
	freeExpansion = MaxFile
	// A bundle may have one line for every bytesPerLine of its size, or freeLines if
	// that is more.
	bytesPerLine = 32
	freeLines    = 10_000
)

// mostLines is how many lines a compressed bundle of that size in bytes may have.
func mostLines(size int64) int { return int(min(maxLines, max(freeLines, size/bytesPerLine))) }

var (
	// errCutToNothing says that the file lacks even the frame of an empty catalog.
	errCutToNothing = errors.New("it is empty, which compressed data never is: copy it again")
	errNotZstd      = errors.New("it is named .zst, but does not begin as what is compressed with Zstandard does: " +
		"copy it again if it was cut short, name it NAME.jsonl if it is plain text, or write it anew with `catalog bundle`")
	errGzip   = errors.New("it is compressed with gzip: decompress it, or compress it with Zstandard instead")
	errBinary = errors.New("it holds binary data or UTF-16: save it as text in UTF-8, or write it anew with `catalog bundle --out`")
)

var errExpands = fmt.Errorf("it expands to more than %d times its size, which no instructions do: decompress it, if that is meant, and name it NAME.jsonl", maxExpansion)

// expand returns the content of a file, decompressed while it is read if it was
// compressed. A file that does not begin as text is an error as a whole, since it has
// no lines to report one by one.
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
	case bytes.IndexByte(begin, 0) >= 0: // which no JSON has
		return nil, errBinary
	}
	return io.NopCloser(f), nil
}

// gzipMagic is what begins a file of gzip (RFC 1952, section 2.3.1).
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

// isZstd reports whether a frame begins here (RFC 8878, section 3.1), or one to
// be skipped, which some compressors put first. No JSON does.
func isZstd(begin []byte) bool {
	const frame, skippable = "\x28\xb5\x2f\xfd", "\x2a\x4d\x18"
	if len(begin) < len(frame) {
		return false
	}
	return string(begin[:4]) == frame || begin[0]&0xf0 == 0x50 && string(begin[1:4]) == skippable
}

// expansion is a decompressed stream that ends with an error if it is longer than
// allowed.
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

var errUnchecked = errors.New("it is compressed without checksums, so that damage would not be noticed: " +
	"compress it anew with them, as zstd does without --no-check, or write it anew with `catalog bundle`")

// A compressed stream may consist of a frame or a block for so many of its bytes, or of
// freeParts where that is more: each costs, also one that holds nothing. A block holds up
// to 128 KiB.
const (
	bytesPerPart = 256
	freeParts    = 10_000
)

var errParts = errors.New("it consists of more compressed parts than instructions of its size do: " +
	"compress it anew as zstd does, or write it anew with `catalog bundle`")

// checkFrames looks at the frames that a compressed stream of that size consists of. There
// may not be too many of them and of their blocks, and none may end without a checksum of
// its content (RFC 8878, section 3.1.1). What else is wrong with a frame is left to be
// found by decompressing it.
func checkFrames(r io.Reader, size int64) error {
	left := max(freeParts, size/bytesPerPart)
	stream := bufio.NewReaderSize(r, 64<<10)
	for ; left > 0; left-- {
		begin, _ := stream.Peek(zstd.HeaderMaxSize) // at the end of the stream less
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

// skipContent skips the blocks of a frame, of which so many are left, and the checksum
// behind them (section 3.1.1.2).
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
