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

// record is what is remembered of one file, as it is kept:
//
//	path, identity, number of diagnostics, each of them, packed entry
//
// Texts and the entry have their length before them; an entry of length 0 is
// none. Lengths and numbers are those of package binary (Uvarint).
type record struct {
	whole []byte // all of it
	id    identity
	rest  []byte // what follows the identity
}

var errMemory = errors.New("it is not as this program writes it")

// newMemory takes apart what writeMemory wrote. It must not change any more.
func newMemory(data []byte) (*memory, error) {
	m := &memory{records: map[string]record{}}
	p := parts{rest: data}
	for len(p.rest) > 0 {
		whole := p.next()
		r := parts{rest: whole}
		path := string(r.next())
		id := r.cut(identityBytes)
		if p.failed || r.failed {
			return nil, errMemory
		}
		m.records[path] = record{whole, identityIn(id), r.rest}
	}
	return m, nil
}

// take returns what came of a file if it is unchanged.
func (m *memory) take(f found, unpacker *catalog.Unpacker) (reading, bool) {
	r, ok := m.records[f.path]
	if !ok || r.id != f.id || f.id == (identity{}) {
		return reading{}, false
	}
	out, err := r.reading(f.path, unpacker)
	return out, err == nil
}

func (r record) reading(path string, unpacker *catalog.Unpacker) (reading, error) {
	out := reading{path: path, id: r.id, record: r.whole}
	p := parts{rest: r.rest}
	for range p.number(mostFound + 1) {
		out.diagnostics = append(out.diagnostics, catalog.Diagnostic{
			Path: path, Line: p.number(maxFile), Severity: catalog.Severity(p.next()), Message: string(p.next()),
		})
	}
	packed := p.next()
	if p.failed || len(p.rest) > 0 {
		return reading{}, errMemory
	}
	if len(packed) == 0 {
		return out, nil
	}
	var err error
	out.entry, err = unpacker.Unpack(packed, path)
	return out, err
}

// writeMemory writes what there is to remember of the readings.
func writeMemory(w io.Writer, readings []*reading) error {
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
