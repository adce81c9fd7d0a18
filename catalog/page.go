package catalog

import (
	"encoding/base64"
	"errors"
	"slices"
	"strings"
)

// Cursor marks a place in a list of entries, to go on from there. It is
// opaque, and good only for the snapshot that issued it.
type Cursor string

// What can be wrong with a cursor.
var (
	ErrCursorForm  = errors.New("this is no cursor of this server: pass the nextCursor of an earlier answer unchanged, or leave it out to start from the beginning")
	ErrCursorStale = errors.New("this cursor belongs to another snapshot of the catalog: start again without a cursor")
)

// Page returns up to limit of the entries that come after the cursor (all of
// them for limit 0), and the cursor of the next page, which is empty on the
// last. The entries must be in id order. Its errors are [ErrCursorForm] and
// [ErrCursorStale].
func (s *Snapshot) Page(entries []*Entry, limit int, after Cursor) ([]*Entry, Cursor, error) {
	if after != "" {
		last, err := s.openCursor(after)
		if err != nil {
			return nil, "", err
		}
		start, found := slices.BinarySearchFunc(entries, last, func(e *Entry, id ID) int {
			return strings.Compare(string(e.ID), string(id))
		})
		if found {
			start++
		}
		entries = entries[start:]
	}
	if limit == 0 || limit >= len(entries) {
		return entries, "", nil
	}
	return entries[:limit], s.newCursor(entries[limit-1].ID), nil
}

func (s *Snapshot) newCursor(last ID) Cursor {
	return Cursor(base64.RawURLEncoding.EncodeToString([]byte(string(s.hash) + ":" + string(last))))
}

func (s *Snapshot) openCursor(c Cursor) (ID, error) {
	text, err := base64.RawURLEncoding.DecodeString(string(c))
	hash, last, ok := strings.Cut(string(text), ":")
	if err != nil || !ok || !ID(last).Valid() {
		return "", ErrCursorForm
	}
	if Fingerprint(hash) != s.hash {
		return "", ErrCursorStale
	}
	return ID(last), nil
}
