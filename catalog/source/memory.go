package source

import (
	"encoding/binary"
	"errors"
	"io"
	"math"

	"instruction-catalog/catalog"
)

// memory is what is remembered of the files of a folder: what came of each when
// it was last read.
//
// It is kept as the number of all files, the record of each, and behind them, in
// the same order, the JSON of the entries: they lie side by side, as they would if
// they had been read.
type memory struct {
	files map[string]remembered // by path
	texts []byte                // JSON of entries
}

// remembered is what is remembered of one file.
type remembered struct {
	record record
	text   int // where its entry's JSON begins
}

// record is what is kept of one file beside its entry's JSON:
//
//	path, identity, length of the JSON, number of diagnostics, each of them, packed entry
//
// Texts have their length before them; JSON of length 0 means that there is no entry.
// Lengths and numbers are those of package binary (Uvarint).
type record []byte

// cut takes a record apart: the path, the identity, the length of the JSON, and what
// follows.
func (r record) cut() (path string, id identity, length int, rest parts, ok bool) {
	p := parts{rest: r}
	path = asText(p.next())
	if kept := p.cut(identityBytes); !p.failed {
		id = identityIn(kept)
	}
	length = p.number(math.MaxInt32)
	return path, id, length, p, !p.failed
}

// leastRecord is less than any record takes, in bytes.
const leastRecord = identityBytes

var errMemory = errors.New("it is not as this program writes it")

// newMemory takes apart what writeMemory wrote. It must not change any more.
func newMemory(data []byte) (*memory, error) {
	p := parts{rest: data}
	count := p.number(len(data) / leastRecord)
	m := &memory{files: make(map[string]remembered, count)}
	end := 0
	for range count {
		r := record(p.next())
		path, _, length, _, ok := r.cut()
		if !ok {
			return nil, errMemory
		}
		m.files[path] = remembered{r, end}
		end += length
	}
	if m.texts = p.rest; p.failed || len(m.texts) != end || len(m.files) < count {
		return nil, errMemory
	}
	return m, nil
}

// take returns what came of a file if it is unchanged. Which file it is it asks
// only if one of that path is remembered.
func (m *memory) take(path string, unpacker *catalog.Unpacker, now func() identity) (reading, bool) {
	known, ok := m.files[path]
	if !ok {
		return reading{}, false
	}
	_, id, length, rest, _ := known.record.cut()
	if id == (identity{}) || id != now() {
		return reading{}, false
	}
	out := reading{path: path, id: id, record: known.record}
	err := out.recall(m.texts[known.text:known.text+length], rest, unpacker) // before out is returned
	return out, err == nil
}

// recall sets what came of the file, as a record has it behind the length of the
// JSON.
func (r *reading) recall(text []byte, p parts, unpacker *catalog.Unpacker) error {
	for range p.number(mostFound + 1) {
		r.diagnostics = append(r.diagnostics, catalog.Diagnostic{
			Path: r.path, Line: p.number(maxFile), Severity: catalog.Severity(p.next()), Message: string(p.next()),
		})
	}
	packed := p.next()
	if p.failed || len(p.rest) > 0 {
		return errMemory
	}
	if len(text) == 0 {
		return nil
	}
	var err error
	r.entry, err = unpacker.Unpack(text, packed, r.path)
	return err
}

// text is the JSON of the entry that came of the file, empty if none did.
func (r *reading) text() []byte {
	if r.entry == nil {
		return nil
	}
	return r.entry.Encoded()
}

// writeMemory writes what there is to remember of the readings.
func writeMemory(w io.Writer, readings []*reading) error {
	if _, err := w.Write(binary.AppendUvarint(nil, uint64(len(readings)))); err != nil {
		return err
	}
	var buf, packed []byte
	for _, r := range readings {
		whole := r.record
		if whole == nil {
			if packed = packed[:0]; r.entry != nil {
				packed = r.entry.AppendPacked(packed)
			}
			buf = r.appendRecord(buf[:0], packed)
			whole = buf
		}
		_, err := w.Write(binary.AppendUvarint(nil, uint64(len(whole))))
		if _, err2 := w.Write(whole); err != nil || err2 != nil {
			return errors.Join(err, err2)
		}
	}
	for _, r := range readings {
		if _, err := w.Write(r.text()); err != nil {
			return err
		}
	}
	return nil
}

func (r *reading) appendRecord(dst, packed []byte) []byte {
	dst = r.id.append(appendPart(dst, r.path))
	dst = binary.AppendUvarint(dst, uint64(len(r.text())))
	dst = binary.AppendUvarint(dst, uint64(len(r.diagnostics)))
	for _, d := range r.diagnostics {
		dst = binary.AppendUvarint(dst, uint64(d.Line))
		dst = appendPart(appendPart(dst, d.Severity), d.Message)
	}
	return appendPart(dst, packed)
}

func appendPart[T ~string | ~[]byte](dst []byte, part T) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(part))), part...)
}

// parts takes a record apart. Once something is missing, everything is.
type parts struct {
	rest   []byte
	failed bool
}

// number returns a number of at most so much.
func (p *parts) number(most int) int {
	n, size := binary.Uvarint(p.rest)
	if size <= 0 || n > uint64(most) {
		p.rest, p.failed = nil, true
		return 0
	}
	p.rest = p.rest[size:]
	return int(n)
}

// next returns the part whose length comes before it.
func (p *parts) next() []byte { return p.cut(p.number(len(p.rest))) }

func (p *parts) cut(n int) []byte {
	if n > len(p.rest) {
		p.rest, p.failed = nil, true
		return nil
	}
	part := p.rest[:n:n]
	p.rest = p.rest[n:]
	return part
}
