package usage

import (
	"bufio"
	"cmp"
	"crypto/rand"
	"errors"
	"io"
	"maps"
	"slices"

	"instruction-catalog/catalog"
)

// contents is the part of a journal that has been read.
type contents struct {
	header
	totals  map[catalog.ID]Totals
	sums    map[source]sum // that the totals are made of
	records int            // lines after the header, the damaged ones included
	damaged int            // lines that are damaged and do not count
	end     int64          // offset behind the last whole line
}

// source is a writer's part in the uses of an entry.
type source struct {
	writer string
	id     catalog.ID
}

// sum is the count of a writer for an entry, up to one of its records.
type sum struct {
	number uint64
	Totals
}

func newContents(h header, end int64) contents {
	return contents{header: h, totals: map[catalog.ID]Totals{}, sums: map[source]sum{}, end: end}
}

// read adds what is behind the end. A last line without a newline is left for the next
// time: another process may be writing it.
func (c *contents) read(journal io.ReaderAt) error {
	lines := bufio.NewReaderSize(io.NewSectionReader(journal, c.end, 1<<62), 4<<10)
	replaced := false
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
			if replaced {
				c.addUp()
			}
			return nil
		case err != nil:
			return err
		}
		c.end += length
		replaced = c.add(line) || replaced
	}
}

// add counts a record, unless it is known. It reports whether that has replaced a sum,
// which the totals still include.
func (c *contents) add(line []byte) (replaced bool) {
	c.records++
	var r record
	undamaged := len(line) > 0 && parseLine(line[:len(line)-1], &r)
	if undamaged && r.Writer == "" {
		return false // the header of a journal that was appended to another
	}
	if !undamaged || r.ID == "" || !r.valid() {
		c.damaged++
		return false
	}
	from := source{r.Writer, r.ID}
	before, known := c.sums[from]
	switch {
	case known && r.Number <= before.number:
		return false
	case known && r.Sum:
		c.sums[from] = sum{r.Number, r.Totals}
		return true
	}
	c.sums[from] = sum{r.Number, before.plus(r.Totals)}
	c.totals[r.ID] = c.totals[r.ID].plus(r.Totals)
	return false
}

// addUp recomputes the totals.
func (c *contents) addUp() {
	clear(c.totals)
	for from, s := range c.sums {
		c.totals[from.id] = c.totals[from.id].plus(s.Totals)
	}
}

// maxSums is how many sums a journal keeps apart: some 10 MB.
const maxSums = 50_000

// compacted returns a record for each sum. Too many of them become one for each entry:
// from then on, records of before that are appended from a copy of the journal would
// count again.
func (c *contents) compacted() []record {
	if len(c.sums) > maxSums {
		return recordsOf(c.totals, rand.Text(), 0)
	}
	records := make([]record, 0, len(c.sums))
	for from, s := range c.sums {
		records = append(records, record{from.writer, s.number, from.id, s.Totals, true})
	}
	slices.SortFunc(records, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.Writer, b.Writer), cmp.Compare(a.Number, b.Number), cmp.Compare(a.ID, b.ID))
	})
	return records
}

// recordsOf returns records of the totals, numbered from behind last in the order of
// the ids.
func recordsOf(totals map[catalog.ID]Totals, writer string, last uint64) []record {
	var records []record
	for _, id := range slices.Sorted(maps.Keys(totals)) {
		last++
		records = append(records, record{Writer: writer, Number: last, ID: id, Totals: totals[id]})
	}
	return records
}
