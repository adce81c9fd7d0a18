package usage

import (
	"bufio"
	"errors"
	"io"
	"maps"
	"slices"

	"instruction-catalog/catalog"
)

// contents is what a journal holds, as far as it has been read.
type contents struct {
	header
	totals  map[catalog.ID]Totals
	last    map[string]uint64 // by writer, the number of its last record
	records int               // lines after the header, the damaged ones included
	damaged int               // lines that are not as they were written, and were not counted
	end     int64             // offset behind the last whole line
}

func newContents(h header, end int64) contents {
	return contents{header: h, totals: map[catalog.ID]Totals{}, last: map[string]uint64{}, end: end}
}

// read adds what stands behind the end. A last line without a newline is left
// for the next time: somebody may be writing it.
func (c *contents) read(journal io.ReaderAt) error {
	lines := bufio.NewReaderSize(io.NewSectionReader(journal, c.end, 1<<62), 4<<10)
	for {
		line, err := lines.ReadSlice('\n')
		length := int64(len(line))
		for errors.Is(err, bufio.ErrBufferFull) { // longer than any record
			line, err = lines.ReadSlice('\n')
			length += int64(len(line))
			line = nil
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		c.end += length
		c.add(line)
	}
}

// add counts what a line records, once.
func (c *contents) add(line []byte) {
	c.records++
	var r record
	if len(line) == 0 || !parseLine(line[:len(line)-1], &r) {
		c.damaged++
		return
	}
	if r.Writer == "" {
		return // the header of a journal that was appended to another
	}
	if r.ID == "" || !r.valid() {
		c.damaged++
		return
	}
	if r.Number > c.last[r.Writer] {
		c.last[r.Writer] = r.Number
		c.totals[r.ID] = c.totals[r.ID].after(r.Totals)
	}
}

// appendRecords appends totals as records of a writer, in the order of the
// ids, numbered from first.
func appendRecords(dst []byte, totals map[catalog.ID]Totals, writer string, first uint64) ([]byte, error) {
	for i, id := range slices.Sorted(maps.Keys(totals)) {
		var err error
		dst, err = appendLine(dst, record{Writer: writer, Number: first + uint64(i), ID: id, Totals: totals[id]})
		if err != nil {
			return nil, err
		}
	}
	return dst, nil
}
