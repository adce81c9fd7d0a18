package source

import (
	"bufio"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"
)

var errUnchecked = errors.New("it is compressed without checksums, so that damage would not be noticed: " +
	"compress it anew with them, as zstd does without --no-check, or write it anew with `catalog bundle`")

// isUnchecked reports whether one of the frames that a compressed stream consists of
// ends without a checksum of its content (RFC 8878, section 3.1.1). What else is wrong
// with a frame is left to be found by decompressing it.
func isUnchecked(r io.Reader) bool {
	stream := bufio.NewReaderSize(r, 64<<10)
	for {
		begin, _ := stream.Peek(zstd.HeaderMaxSize) // at the end of the stream less
		var frame zstd.Header
		if frame.Decode(begin) != nil {
			return false
		}
		_, err := stream.Discard(frame.HeaderSize)
		switch {
		case err != nil:
			return false
		case frame.Skippable:
			_, err = stream.Discard(int(frame.SkippableSize))
		case !frame.HasCheckSum:
			return true
		default:
			err = skipContent(stream)
		}
		if err != nil {
			return false
		}
	}
}

// skipContent skips the blocks of a frame and the checksum behind them (section
// 3.1.1.2).
func skipContent(stream *bufio.Reader) error {
	const checksum, lastBlock, repeatedByte = 4, 1, 1
	for {
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
}
