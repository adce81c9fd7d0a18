package catalog

import (
	"encoding/base64"
	"errors"
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
	ErrCursorOther = errors.New("this cursor belongs to another question: repeat the call that it came from, with the same mode, text and filters, or leave it out to start from the beginning")
)

// A place is what a cursor marks: the last entry of a page. Where a list is not
// in id order it has a position, which is how many entries came up to there, and
// the question that they answer. The last one tells then whether they are still
// those: the hash of a snapshot is of ids and bodies, and their order in a ranked
// search depends on more.
type place struct {
	last ID

	position int
	question question // empty where a list is in id order
}

// A question tells ranked searches apart: the beginning of a hash of what was
// asked.
type question string

const questionLength = 16

func questionOf(q string, f Filter) question {
	asked := strings.Join([]string{f.Category, string(f.Requirement), string(f.Audience), q}, "\x00")
	if f.Load != "" || f.AppliesTo != "" {
		asked = strings.Join([]string{string(f.Load), f.AppliesTo, asked}, "\x00")
	}
	return question(FingerprintOf(asked)[:questionLength])
}

// newCursor writes the hash of the snapshot and the place: "hash:id" or
// "hash:position:question:id".
func (s *Snapshot) newCursor(p place) Cursor {
	text := string(s.hash) + ":"
	if p.question != "" {
		text += strconv.Itoa(p.position) + ":" + string(p.question) + ":"
	}
	text += string(p.last)
	return Cursor(base64.RawURLEncoding.EncodeToString([]byte(text)))
}

func (s *Snapshot) openCursor(c Cursor) (place, error) {
	text, err := base64.RawURLEncoding.DecodeString(string(c))
	hash, rest, _ := strings.Cut(string(text), ":")
	p, ok := parsePlace(rest)
	if err != nil || !ok {
		return place{}, ErrCursorForm
	}
	if Fingerprint(hash) != s.hash {
		return place{}, ErrCursorStale
	}
	return p, nil
}

func parsePlace(text string) (place, bool) {
	before, rest, ranked := strings.Cut(text, ":")
	if !ranked {
		return place{last: ID(text)}, ID(text).Valid()
	}
	asked, last, _ := strings.Cut(rest, ":")
	position, err := strconv.Atoi(before)
	ok := err == nil && position > 0 && strconv.Itoa(position) == before && len(asked) == questionLength && ID(last).Valid()
	return place{last: ID(last), position: position, question: question(asked)}, ok
}
