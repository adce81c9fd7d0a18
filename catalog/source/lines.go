package source

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"instruction-catalog/catalog/files"
)

const (
	// maxLine is the size in bytes up to which a line of a bundle is read, as
	// that of a file.
	maxLine = MaxFile
	// batchBytes is how much of a bundle is read before its lines are interpreted,
	// all at once.
	batchBytes = 1 << 20
	// lineCost is what holding a line takes beside its text, in bytes.
	lineCost = 256
	// maxLines is how many lines a bundle has at most, blank ones included. Catalogs
	// of half as many are measured.
	maxLines = 2_000_000
)

var errManyLines = fmt.Errorf("it has more than %d lines: split it up", maxLines)

// line is a line of a bundle, without what ends it.
type line struct {
	number  int     // from 1
	data    []byte  // valid until the next batch
	tooLong bool    // it has more than maxLine bytes, and there is no data
	last    bool    // no newline ends it
	head    bool    // no entry comes before it
	key     lineKey // once it was read as an entry
}

func (l line) blank() bool {
	return !l.tooLong && len(bytes.TrimLeft(files.TrimByteOrderMark(l.data), " \t\r")) == 0
}

// lineReader reads the lines of a stream.
type lineReader struct {
	r     *bufio.Reader
	held  []byte    // the lines of a batch
	lines int       // how many were read
	most  int       // how many may be read
	file  io.Seeker // what the stream is read from
	size  int       // of that, in bytes
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), most: maxLines}
}

// batch returns the next lines that are not blank, few enough to be held at once. With
// an error, io.EOF at the end, they are those before it.
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

// tell reports how much of the file is done.
func (r *lineReader) tell(progress func(done, total int)) {
	if at, err := r.file.Seek(0, io.SeekCurrent); err == nil {
		progress(int(at), r.size)
	}
}

// next returns the next line. Of one that is too long it holds no more than may be.
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

// tooMany is the error for a bundle with too many lines.
func (r *lineReader) tooMany() error {
	if r.most == maxLines {
		return errManyLines
	}
	return fmt.Errorf("it expands to more than %d lines, which no instructions of its size do: decompress it, if that is meant, and name it NAME.jsonl", r.most)
}
