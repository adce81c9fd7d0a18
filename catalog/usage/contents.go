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
	sums    map[source]sum // the sums that make up the totals
	records int            // number of lines after the header, including damaged ones
	damaged int            // number of damaged lines, which do not count
	end     int64          // offset after the last complete line
}

// source identifies the records of a writer for an entry.
type source struct {
	writer string
	id     catalog.ID
}

// sum is the total of a source's records up to number.
type sum struct {
	number uint64
	Totals
}

func newContents(h header, end int64) contents {
	return contents{header: h, totals: map[catalog.ID]Totals{}, sums: map[source]sum{}, end: end}
}

// read adds the lines after c.end. It leaves a last line without a newline for the next
// call, because another process may be writing it.
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

// add counts the record in line, unless it was counted before. It reports whether the
// record replaced a sum. If so, the totals include the old sum until addUp is called.
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

// addUp recomputes the totals from the sums.
func (c *contents) addUp() {
	clear(c.totals)
	for from, s := range c.sums {
		c.totals[from.id] = c.totals[from.id].plus(s.Totals)
	}
}

// maxSums is the maximum number of sums that a compacted journal keeps: about 10 MB.
const maxSums = 50_000

// compacted returns one record per sum. If there are more than maxSums, it returns one
// record per entry instead. Older records that are appended again from a copy of the
// journal then count a second time.
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

// recordsOf returns a record for each of the totals, in id order, numbered from last+1.
func recordsOf(totals map[catalog.ID]Totals, writer string, last uint64) []record {
	var records []record
	for _, id := range slices.Sorted(maps.Keys(totals)) {
		last++
		records = append(records, record{Writer: writer, Number: last, ID: id, Totals: totals[id]})
	}
	return records
}
