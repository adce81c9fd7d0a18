package search

import (
	"math/bits"
)

// pieceBytes is the greatest length of a piece. Smaller pieces reject more
// texts that hold a query's trigrams, but far apart; larger ones make fewer
// words to AND.
const pieceBytes = 512

// A shard is a run of neighbouring texts with everything needed to search it.
type shard struct {
	first   int    // position of its first text in the index
	folded  []byte // all titles and bodies, end to end
	spans   []span // one per text
	pieces  []piece
	filters signatures // one column per piece
	pairs   pairSet
}

// A span says where in a shard's folded bytes a text lies. Its title ends where
// its body begins.
type span struct {
	title, body, end int
}

// A piece is a stretch of one text. It ends where the next piece starts.
type piece struct {
	text  int // in the shard's spans
	start int
}

func newShard(f *folder, first int, texts []Text) shard {
	s := shard{first: first}
	s.fold(f, texts)
	s.cut()
	s.filter()
	return s
}

func (s *shard) fold(f *folder, texts []Text) {
	bytes := 0
	for _, t := range texts {
		bytes += len(t.Title) + len(t.Body)
	}
	s.folded = make([]byte, 0, bytes)
	s.spans = make([]span, len(texts))
	for i, t := range texts {
		title := len(s.folded)
		s.folded = f.append(s.folded, t.Title)
		body := len(s.folded)
		s.folded = f.append(s.folded, t.Body)
		s.spans[i] = span{title, body, len(s.folded)}
	}
}

// cut makes the pieces: per text as few as may be, of about equal length. One
// more, empty, ends the last.
func (s *shard) cut() {
	s.pieces = make([]piece, 0, len(s.spans)+len(s.folded)/pieceBytes+1)
	for i, t := range s.spans {
		length := t.end - t.title
		count := (length + pieceBytes - 1) / pieceBytes
		for k := range count {
			s.pieces = append(s.pieces, piece{i, t.title + k*length/count})
		}
	}
	s.pieces = append(s.pieces, piece{len(s.spans), len(s.folded)})
}

func (s *shard) filter() {
	count := len(s.pieces) - 1
	s.filters = newSignatures(count, len(s.folded))
	for i := range count {
		from, to := s.reach(i, filteredBytes)
		s.filters.add(i, s.folded[from:to])
	}
	s.pairs.add(s.folded)
}

// reach returns the stretch in which a match of n bytes that begins in piece i
// must lie: the piece and n-1 bytes more, as far as the text goes.
func (s *shard) reach(i, n int) (from, to int) {
	p := s.pieces[i]
	return p.start, min(s.pieces[i+1].start+n-1, s.spans[p.text].end)
}

// find appends the positions of the shard's texts that contain n.
func (s *shard) find(found []int, n needle) []int {
	switch {
	case !s.pairs.mayContain(n.text):
		return found
	case len(n.grams) == 0:
		return s.scan(found, n)
	default:
		return s.sift(found, n)
	}
}

func (s *shard) scan(found []int, n needle) []int {
	for i, t := range s.spans {
		if s.contains(t, t.title, t.end, n) {
			found = append(found, s.first+i)
		}
	}
	return found
}

// sift looks only at the pieces that the filters leave.
func (s *shard) sift(found []int, n needle) []int {
	last := -1 // the text found last, whose further pieces need no look
	for word := range s.filters.width {
		for left := s.filters.candidates(word, n.grams); left != 0; left &= left - 1 {
			i := word*64 + bits.TrailingZeros64(left)
			text := s.pieces[i].text
			if text == last {
				continue
			}
			from, to := s.reach(i, len(n.text))
			if s.contains(s.spans[text], from, to, n) {
				found = append(found, s.first+text)
				last = text
			}
		}
	}
	return found
}

// contains reports whether n lies between from and to in the title of t or in
// its body.
func (s *shard) contains(t span, from, to int, n needle) bool {
	middle := min(max(from, t.body), to)
	return n.in(s.folded[middle:to]) || n.in(s.folded[from:middle])
}
