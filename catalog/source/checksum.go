package source

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

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
