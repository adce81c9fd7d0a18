package catalog

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"strconv"
)

// AppendPacked appends what an [Unpacker] needs beside a sealed entry's JSON to make
// it again at little more than the cost of looking at it: how long each value in
// the JSON is, and what is not in there. The form is that of one build of the
// program and no other's; where the entry came from is not in it, but for what its
// file says.
func (e *Entry) AppendPacked(dst []byte) []byte {
	lengths := make([]int, len(members))
	// Encoding it once more, to where the rest will stand, tells how long they are.
	e.appendNoting(dst, everyField, func(member, start, end int) { lengths[member] = end - start })
	for _, n := range lengths {
		dst = binary.AppendUvarint(dst, uint64(n))
	}
	dst = binary.AppendUvarint(dst, uint64(e.UsageCount))
	for _, s := range []string{string(e.LastUsedAt), e.Origin.SpelledID, e.Origin.RecordedHash} {
		dst = appendBytes(dst, []byte(s))
	}
	return dst
}

func everyField(Field) bool { return true }

func appendBytes(dst, data []byte) []byte {
	return append(binary.AppendUvarint(dst, uint64(len(data))), data...)
}

var errPacked = errors.New("this is no packed entry")

// Unpacker makes entries of what was packed. Its zero value is ready. It takes
// memory for some at once, and is not safe for concurrent use.
type Unpacker struct {
	spare   []Entry
	details Details // of the entry that is being made
}

// Unpack makes the entry that was packed into data, whose JSON is encoded. Neither
// may change any more: the entry's texts are parts of them, and what lies behind the
// JSON, within its capacity, is for [Entry.AppendEncoded]. The entry comes from the
// given path. What nobody packed is an error, as far as it can be told without
// looking at every byte: that they are those that were packed is for the caller to
// know.
func (u *Unpacker) Unpack(encoded, data []byte, path string) (*Entry, error) {
	p := parts{rest: data}
	u.details = Details{}
	e := nextOf(&u.spare, Origin{Path: path}, &u.details)
	e.encoded = encoded
	lengths := p.rest
	p.lengths()
	e.UsageCount = int64(p.number())
	e.LastUsedAt = Timestamp(stringOf(p.bytes()))
	e.Origin.SpelledID, e.Origin.RecordedHash = stringOf(p.bytes()), stringOf(p.bytes())
	if p.failed || len(p.rest) > 0 || e.UsageCount < 0 || !e.restore(lengths) {
		return nil, errPacked
	}
	e.Details = e.Details.kept()
	e.Origin.share(e)
	return e, nil
}

// restore sets the fields that are encoded from the values, each of which has
// the next length, 0 if the entry does not have it.
func (e *Entry) restore(lengths []byte) bool {
	p := parts{rest: lengths}
	at := len("{")
	for i := range members {
		m := &members[i]
		length := p.number()
		if length == 0 {
			continue
		}
		if at > len("{") {
			at++ // the comma
		}
		start := at + len(m.name) + len(`"":`)
		if m.restore == nil || start > len(e.encoded) || length > len(e.encoded)-start {
			return false
		}
		at = start + length
		if !m.restore(e, e.encoded[start:at:at]) {
			return false
		}
	}
	return string(e.encoded[min(at, len(e.encoded)):]) == closing
}

// parts takes data apart. Once something is missing, everything is.
type parts struct {
	rest   []byte
	failed bool
}

// number is a length, or a count, that fits an int.
func (p *parts) number() int {
	if len(p.rest) > 0 && p.rest[0] < 1<<7 { // nearly all, in one byte
		n := p.rest[0]
		p.rest = p.rest[1:]
		return int(n)
	}
	n, size := binary.Uvarint(p.rest)
	if size <= 0 || n > uint64(^uint(0)>>1) {
		p.rest, p.failed = nil, true
		return 0
	}
	p.rest = p.rest[size:]
	return int(n)
}

func (p *parts) bytes() []byte {
	n := p.number()
	if n > len(p.rest) {
		p.rest, p.failed = nil, true
		return nil
	}
	data := p.rest[:n:n]
	p.rest = p.rest[n:]
	return data
}

// lengths passes over those of the members.
func (p *parts) lengths() {
	for range members {
		p.number()
	}
}

// restoreText reads a string. What has no escapes is shared.
func restoreText[S ~string](to *S, value []byte) bool {
	last := len(value) - 1
	if last < 1 || value[0] != '"' || value[last] != '"' {
		return false
	}
	if bytes.IndexByte(value, '\\') >= 0 {
		return json.Unmarshal(value, to) == nil
	}
	*to = S(stringOf(value[1:last:last]))
	return true
}

func restoreNumber(to *int, value []byte) bool {
	n, err := strconv.Atoi(string(value))
	*to = n
	return err == nil
}

// restoreTexts reads a list of strings.
func restoreTexts(to *[]string, value []byte) bool {
	if bytes.IndexByte(value, '\\') >= 0 {
		return json.Unmarshal(value, to) == nil
	}
	last := len(value) - 1
	if last < 1 || value[0] != '[' || value[last] != ']' {
		return false
	}
	inner := value[1:last]
	texts := make([]string, 0, bytes.Count(inner, []byte{'"'})/len(`""`))
	for len(inner) > 0 {
		literal, after := cutLiteral(inner)
		var s string
		if !restoreText(&s, literal) {
			return false
		}
		texts = append(texts, s)
		inner = bytes.TrimPrefix(after, []byte(","))
	}
	*to = texts
	return true
}

// cutLiteral cuts behind the second quote.
func cutLiteral(data []byte) (literal, after []byte) {
	end := bytes.IndexByte(data[1:], '"') + 2
	if end < 2 {
		return nil, nil
	}
	return data[:end:end], data[end:]
}
