package source

import (
	"encoding/binary"
	"errors"
	"io"

	"instruction-catalog/catalog"
)

// memory is what is remembered of the files of a folder: what came of each when
// it was last read.
type memory struct {
	records map[string]record // by path
}

// record is what is remembered of one file, as it is kept behind the number of
// all records:
//
//	path, identity, number of diagnostics, each of them, packed entry
//
// Texts and the entry have their length before them; an entry of length 0 is
// none. Lengths and numbers are those of package binary (Uvarint).
type record []byte

// cut takes a record apart: the path, the identity, and what follows.
func (r record) cut() (path string, id identity, rest parts, ok bool) {
	p := parts{rest: r}
	path = asText(p.next())
	if kept := p.cut(identityBytes); !p.failed {
		id = identityIn(kept)
	}
	return path, id, p, !p.failed
}

// leastRecord is less than any record takes, in bytes.
const leastRecord = identityBytes

var errMemory = errors.New("it is not as this program writes it")

// newMemory takes apart what writeMemory wrote. It must not change any more.
func newMemory(data []byte) (*memory, error) {
	p := parts{rest: data}
	count := p.number(len(data) / leastRecord)
	m := &memory{records: make(map[string]record, count)}
	for range count {
		r := record(p.next())
		path, _, _, ok := r.cut()
		if !ok {
			return nil, errMemory
		}
		m.records[path] = r
	}
	if p.failed || len(p.rest) > 0 || len(m.records) < count {
		return nil, errMemory
	}
	return m, nil
}

// take returns what came of a file if it is unchanged. Which file it is it asks
// only if one of that path is remembered.
func (m *memory) take(path string, unpacker *catalog.Unpacker, now func() identity) (reading, bool) {
	r, ok := m.records[path]
	if !ok {
		return reading{}, false
	}
	_, id, rest, _ := r.cut()
	if id == (identity{}) || id != now() {
		return reading{}, false
	}
	out := reading{path: path, id: id, record: r}
	return out, out.recall(rest, unpacker) == nil
}

// recall sets what came of the file, as a record has it behind the identity.
func (r *reading) recall(p parts, unpacker *catalog.Unpacker) error {
	for range p.number(mostFound + 1) {
		r.diagnostics = append(r.diagnostics, catalog.Diagnostic{
			Path: r.path, Line: p.number(maxFile), Severity: catalog.Severity(p.next()), Message: string(p.next()),
		})
	}
	packed := p.next()
	if p.failed || len(p.rest) > 0 {
		return errMemory
	}
	if len(packed) == 0 {
		return nil
	}
	var err error
	r.entry, err = unpacker.Unpack(packed, r.path)
	return err
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
	return nil
}

func (r *reading) appendRecord(dst, packed []byte) []byte {
	dst = r.id.append(appendPart(dst, r.path))
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
