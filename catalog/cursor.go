package catalog

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Cursor marks a place in a list of entries, to go on from there. It is
// opaque, and good only for the snapshot that issued it; that of a ranked search
// only for the same question.
type Cursor string

// What can be wrong with a cursor.
var (
	ErrCursorForm  = errors.New("this is no cursor of this server: pass the nextCursor of an earlier answer unchanged, or leave it out to start from the beginning")
	ErrCursorStale = errors.New("this cursor belongs to another snapshot of the catalog: start again without a cursor")
	ErrCursorOther = errors.New("this cursor belongs to another question: repeat the call that it came from, with the same mode, text, filters and sort, or leave it out to start from the beginning")
)

// newCursor marks a place in a list in id order by the id before it.
func (s *Snapshot) newCursor(last ID) Cursor {
	return Cursor(base64.RawURLEncoding.EncodeToString([]byte(string(s.hash) + ":" + string(last))))
}

// openList returns the id that a page in id order comes after, "" for the first.
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

// newChangesCursor marks a place in the changes since a token, in id order, by the
// id before it. They are those up to this revision: hash and all that it does not
// see.
func (s *Snapshot) newChangesCursor(since Fingerprint, last ID) Cursor {
	text := strings.Join([]string{string(s.Revision()), string(digestOf(string(since))), string(last)}, ":")
	return Cursor(base64.RawURLEncoding.EncodeToString([]byte(text)))
}

// openChanges returns the id that a page of changes comes after, "" for the first.
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

// A mark is what the cursor of a list that is not in id order holds. It is short,
// since an agent reads and writes it: the number of entries up to there, and digests
// of the snapshot, of the question and of the last entry. That last digest tells
// whether the entries are still the same: the hash of a snapshot covers ids and
// bodies, and the order of a ranked search depends on more.
type mark struct {
	position                 int
	snapshot, question, last digest
}

// A digest is the beginning of a fingerprint. Two things have the same one with a
// chance of 1 in 4 billion.
type digest string

const digestLength = 8

func digestOf(text string) digest { return digest(FingerprintOf(text)[:digestLength]) }

func (m mark) cursor() Cursor {
	return Cursor(fmt.Sprintf("%d-%s-%s-%s", m.position, m.snapshot, m.question, m.last))
}

// parseMark reads what cursor writes.
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

// openMark returns the mark of a cursor that this snapshot issued.
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

// ordered is the answer to a question in another order than by id.
type ordered struct {
	snapshot *Snapshot
	question digest
	entries  []*Entry
}

// after returns the position at which the page begins that follows a cursor.
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

// cut returns where a page ends that begins at start, and the cursor of the next.
func (o ordered) cut(start, limit int) (end int, next Cursor) {
	if limit == 0 || limit >= len(o.entries)-start {
		return len(o.entries), ""
	}
	end = start + limit
	return end, mark{end, o.snapshot.digest(), o.question, digestOf(string(o.entries[end-1].ID))}.cursor()
}

// questionOf tells what was asked apart, where the order depends on it.
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

// byPriority is the same question, answered in another order.
func (d digest) byPriority() digest { return digestOf(string(d) + " by priority") }

// merged is the same question, answered with equal entries merged.
func (d digest) merged() digest { return digestOf(string(d) + " merged") }
