package source

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"instruction-catalog/catalog/files"
)

const (
	// maxLine is the maximum length of a line of a bundle, in bytes. It equals the
	// maximum size of a file.
	maxLine = MaxFile
	// batchBytes is the number of bytes of a bundle to read before their lines are
	// decoded in parallel.
	batchBytes = 1 << 20
	// lineCost is the memory for a line in addition to its text, in bytes.
	lineCost = 256
	// maxLines is the maximum number of lines of a bundle, including blank ones.
	// Catalogs with half as many lines have been measured.
	maxLines = 2_000_000
)

var errManyLines = fmt.Errorf("it has more than %d lines: split it up", maxLines)

// line is a line of a bundle, without its line ending.
type line struct {
	number  int     // from 1
	data    []byte  // valid until the next batch
	tooLong bool    // the line exceeds maxLine bytes, and data is nil
	last    bool    // the line does not end in a newline
	head    bool    // no entry precedes the line
	key     lineKey // set when the line is read as an entry
}

func (l line) blank() bool {
	return !l.tooLong && len(bytes.TrimLeft(files.TrimByteOrderMark(l.data), " \t\r")) == 0
}

// lineReader reads the lines of a stream.
type lineReader struct {
	r     *bufio.Reader
	held  []byte    // the bytes of the current batch
	lines int       // number of lines read
	most  int       // maximum number of lines
	file  io.Seeker // the file that the stream is read from
	size  int       // size of the file, in bytes
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), most: maxLines}
}

// batch returns the next lines that are not blank, about batchBytes in total. With an
// error, it returns the lines before the error. At the end of the stream the error is
// io.EOF.
func (r *lineReader) batch() (lines []line, err error) {
	r.held = r.held[:0]
	for size := 0; size < batchBytes; {
		next, err := r.next()
		if err != nil {
			return lines, err
		}
		if !next.blank() {
			lines = append(lines, next)
		}
		size += len(next.data) + lineCost
	}
	return lines, nil
}

// tell calls progress with the number of bytes of the file that have been read.
func (r *lineReader) tell(progress func(done, total int)) {
	if at, err := r.file.Seek(0, io.SeekCurrent); err == nil {
		progress(int(at), r.size)
	}
}

// next returns the next line. It does not keep more than about maxLine bytes of a line
// that is too long.
func (r *lineReader) next() (line, error) {
	next, start := line{number: r.lines + 1}, len(r.held)
	for {
		part, err := r.r.ReadSlice('\n')
		if r.held = append(r.held, part...); len(r.held)-start > maxLine+len("\r\n") {
			r.held, next.tooLong = r.held[:start], true
		}
		next.data = r.held[start:]
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(next.data) == 0 && !next.tooLong:
			return line{}, io.EOF
		case err != nil && err != io.EOF:
			return line{}, fmt.Errorf("after line %d: %w", r.lines, err)
		}
		if r.lines++; r.lines > r.most {
			return line{}, r.tooMany()
		}
		next.last = err == io.EOF
		next.data = bytes.TrimSuffix(bytes.TrimSuffix(next.data, []byte{'\n'}), []byte{'\r'})
		if next.tooLong = next.tooLong || len(next.data) > maxLine; next.tooLong {
			next.data = nil
		}
		return next, nil
	}
}

// tooMany returns the error for a bundle with too many lines.
func (r *lineReader) tooMany() error {
	if r.most == maxLines {
		return errManyLines
	}
	return fmt.Errorf("it expands to more than %d lines, which instructions of its size never do: if that is intended, decompress it and name it NAME.jsonl", r.most)
}
