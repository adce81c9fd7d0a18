package catalog

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Cursor marks a position in a list of entries, from which the next page continues. It
// is opaque and valid only for the snapshot that issued it. The cursor of a ranked
// search is valid only for the same query.
type Cursor string

// The errors for an invalid cursor.
var (
	ErrCursorForm  = errors.New("this is not a cursor of this server: pass the nextCursor of an earlier answer unchanged, or leave it out to start from the beginning")
	ErrCursorStale = errors.New("this cursor belongs to another snapshot of the catalog: start again without a cursor")
	ErrCursorOther = errors.New("this cursor belongs to another query: repeat the call that it came from, with the same mode, text, filters and sort, or leave it out to start from the beginning")
)

// newCursor returns the cursor for the position after the id last, in a list sorted by
// id.
func (s *Snapshot) newCursor(last ID) Cursor {
	return Cursor(base64.RawURLEncoding.EncodeToString([]byte(string(s.hash) + ":" + string(last))))
}

// openList returns the id that precedes the page at c, in a list sorted by id. The id
// is empty for the first page.
func (s *Snapshot) openList(c Cursor) (ID, error) {
	if c == "" {
		return "", nil
	}
	if m, ok := parseMark(c); ok {
		return "", cmp.Or(s.issued(m), ErrCursorOther)
	}
	text, err := base64.RawURLEncoding.DecodeString(string(c))
	hash, last, _ := strings.Cut(string(text), ":")
	switch {
	case err != nil || !ID(last).Valid():
		return "", ErrCursorForm
	case Fingerprint(hash) != s.hash:
		return "", ErrCursorStale
	}
	return ID(last), nil
}

// newChangesCursor returns the cursor for the position after the id last, in the list
// of changes since a token, sorted by id. The cursor is valid only for the current
// revision. The catalog hash is not enough, because it does not cover every field.
func (s *Snapshot) newChangesCursor(since Fingerprint, last ID) Cursor {
	text := strings.Join([]string{string(s.Revision()), string(digestOf(string(since))), string(last)}, ":")
	return Cursor(base64.RawURLEncoding.EncodeToString([]byte(text)))
}

// openChanges returns the id that precedes the page of changes at c. The id is empty
// for the first page.
func (s *Snapshot) openChanges(since Fingerprint, c Cursor) (ID, error) {
	if c == "" {
		return "", nil
	}
	text, err := base64.RawURLEncoding.DecodeString(string(c))
	parts := strings.Split(string(text), ":")
	if err != nil || len(parts) != 3 {
		_, err := s.openList(c)
		return "", cmp.Or(err, ErrCursorOther)
	}
	switch {
	case Fingerprint(parts[0]) != s.Revision():
		return "", ErrCursorStale
	case digest(parts[1]) != digestOf(string(since)):
		return "", ErrCursorOther
	}
	return ID(parts[2]), nil
}

// mark is the content of a cursor for a list that is not in id order. It is short,
// because an agent reads and writes it. It holds the number of entries before the page,
// and digests of the snapshot, of the query and of the id of the last entry before the
// page. The digest of that id detects a changed list: the hash of a snapshot covers only
// ids and bodies, but the order of a ranked search depends on more.
type mark struct {
	position                 int
	snapshot, question, last digest
}

// digest is the first 8 characters of a fingerprint. Two different texts have the same
// digest with a probability of 1 in 4 billion.
type digest string

const digestLength = 8

func digestOf(text string) digest { return digest(FingerprintOf(text)[:digestLength]) }

func (m mark) cursor() Cursor {
	return Cursor(fmt.Sprintf("%d-%s-%s-%s", m.position, m.snapshot, m.question, m.last))
}

// parseMark parses the result of mark.cursor.
func parseMark(c Cursor) (mark, bool) {
	parts := strings.Split(string(c), "-")
	if len(parts) != 4 {
		return mark{}, false
	}
	position, err := strconv.Atoi(parts[0])
	m := mark{position, digest(parts[1]), digest(parts[2]), digest(parts[3])}
	ok := err == nil && position > 0 && m.cursor() == c
	for _, part := range parts[1:] {
		ok = ok && len(part) == digestLength && strings.Trim(part, "0123456789abcdef") == ""
	}
	return m, ok
}

// openMark returns the mark in a cursor, or an error if this snapshot did not issue the
// cursor.
func (s *Snapshot) openMark(c Cursor) (mark, error) {
	if m, ok := parseMark(c); ok {
		return m, s.issued(m)
	}
	_, err := s.openList(c)
	return mark{}, cmp.Or(err, ErrCursorOther)
}

func (s *Snapshot) issued(m mark) error {
	if m.snapshot != s.digest() {
		return ErrCursorStale
	}
	return nil
}

func (s *Snapshot) digest() digest { return digest(s.hash[:digestLength]) }

// ordered is the result of a query whose entries are not in id order.
type ordered struct {
	snapshot *Snapshot
	question digest
	entries  []*Entry
}

// after returns the position of the first entry of the page at a cursor.
func (o ordered) after(c Cursor) (int, error) {
	if c == "" {
		return 0, nil
	}
	m, err := o.snapshot.openMark(c)
	switch {
	case err != nil:
		return 0, err
	case m.question != o.question || m.position > len(o.entries):
		return 0, ErrCursorOther
	case m.last != digestOf(string(o.entries[m.position-1].ID)):
		return 0, ErrCursorStale
	}
	return m.position, nil
}

// cut returns the end position of the page that begins at start, and the cursor of the
// next page. The cursor is empty on the last page.
func (o ordered) cut(start, limit int) (end int, next Cursor) {
	if limit == 0 || limit >= len(o.entries)-start {
		return len(o.entries), ""
	}
	end = start + limit
	return end, mark{end, o.snapshot.digest(), o.question, digestOf(string(o.entries[end-1].ID))}.cursor()
}

// questionOf returns a digest of the query and the filter, on which the order of the
// results depends.
func questionOf(q string, f Filter) digest {
	asked := strings.Join([]string{f.Category, string(f.Requirement), string(f.Audience), q}, "\x00")
	if f.Load != "" || f.AppliesTo != "" {
		asked = strings.Join([]string{string(f.Load), f.AppliesTo, asked}, "\x00")
	}
	if f.Status != "" {
		asked = strings.Join([]string{string(f.Status), "", "", asked}, "\x00")
	}
	if f.Only != nil {
		asked = strings.Join([]string{f.Only.Name, "", "", "", asked}, "\x00")
	}
	return digestOf(asked)
}

// byPriority returns the digest of the same query with its results sorted by priority.
func (d digest) byPriority() digest { return digestOf(string(d) + " by priority") }

// merged returns the digest of the same query with equal entries merged.
func (d digest) merged() digest { return digestOf(string(d) + " merged") }
