package search

import "math/bits"

// pieceBytes is the greatest length of a piece. Smaller pieces reject more
// texts that hold a query's trigrams, but far apart; larger ones make fewer
// words to AND.
const pieceBytes = 256

// A shard is a run of neighbouring texts with everything needed to search it.
type shard struct {
	first   int    // position of its first text in the index
	folded  []byte // all titles and bodies, end to end
	spans   []span // one per text, and one more that is empty
	pieces  []piece
	filters signatures // one column per piece
	grams   grams
	tokens  tokenSets
}

// A span says where in a shard's folded bytes a text lies. Its title ends where
// its body begins, and its body where the next text does.
type span struct {
	title, body uint32
	piece       uint32 // its first
}

// A piece is a stretch of one text. It ends where the next piece starts.
type piece struct {
	text  uint32 // in the shard's spans
	start uint32
}

// A worker makes shards, one after the other.
type worker struct {
	grams  gramCounter
	tokens tokenCounter
	body   []byte // scratch
	folded []byte // scratch
}

// newShard also returns the tokens of which the shard has sets.
func (w *worker) newShard(texts *Texts, p part) (shard, tokenList) {
	s := shard{first: p.first}
	s.spans = make([]span, 0, p.end-p.first+1)
	folded := w.folded[:0]
	for i := p.first; i < p.end; i++ {
		title, body := len(folded), 0
		folded, body = texts.fold(&w.body, folded, i)
		s.spans = append(s.spans, span{title: uint32(title), body: uint32(body)})
	}
	end := uint32(len(folded))
	s.spans = append(s.spans, span{title: end, body: end})
	s.folded = append(make([]byte, 0, len(folded)), folded...)
	w.folded = folded
	s.cut()
	s.filter()
	s.grams = w.grams.collect(&s)
	var tokens tokenList
	s.tokens, tokens = w.tokens.collect(&s)
	return s, tokens
}

// len returns the number of texts.
func (s *shard) len() int { return len(s.spans) - 1 }

// text returns the folded title and body of a text.
func (s *shard) text(i int) (title, body []byte) {
	t, end := s.spans[i], s.spans[i+1].title
	return s.folded[t.title:t.body], s.folded[t.body:end]
}

// cut makes the pieces: per text as few as may be, of about equal length. One
// more, empty, ends the last.
func (s *shard) cut() {
	s.pieces = make([]piece, 0, s.len()+len(s.folded)/pieceBytes+1)
	for i := range s.spans {
		t := &s.spans[i]
		t.piece = uint32(len(s.pieces))
		if i == s.len() {
			break
		}
		length := int(s.spans[i+1].title - t.title)
		count := (length + pieceBytes - 1) / pieceBytes
		for k := range count {
			s.pieces = append(s.pieces, piece{uint32(i), t.title + uint32(k*length/count)})
		}
	}
	s.pieces = append(s.pieces, piece{uint32(s.len()), uint32(len(s.folded))})
}

func (s *shard) filter() {
	count := len(s.pieces) - 1
	s.filters = newSignatures(count, len(s.folded))
	for i := range count {
		from, to := s.reach(i, filteredBytes)
		s.filters.add(i, s.folded[from:to])
	}
}

// reach returns the stretch in which a match of n bytes that begins in piece i
// must lie: the piece and n-1 bytes more, as far as the text goes.
func (s *shard) reach(i, n int) (from, to int) {
	p := s.pieces[i]
	return int(p.start), min(int(s.pieces[i+1].start)+n-1, int(s.spans[p.text+1].title))
}

// findAll enters the shard's texts that contain n, but for those that are entered
// already, and returns how many pieces had to be looked at for that.
func (s *shard) findAll(n *needle, m *Matches) (looks int) {
	word, found := 0, uint64(0) // one word of matches, gathered before it is entered
	looks = s.find(n, 0, m, func(text int) bool {
		i := s.first + text
		if i/64 != word {
			m.add(word, found)
			word, found = i/64, 0
		}
		found |= 1 << (i % 64)
		return true
	})
	m.add(word, found)
	return looks
}

// find calls yield with the positions in the shard, ascending and from first on,
// of the texts that contain n, until it returns false. It returns how many
// pieces it looked at. It may leave out texts that are among those known, unless
// that is nil.
func (s *shard) find(n *needle, first int, known *Matches, yield func(int) bool) (looks int) {
	if len(n.text) < gramBytes {
		s.grams.each(gramOf(n.text), first, yield)
		return 0
	}
	return s.sift(n, first, known, yield)
}

// sift looks only at the pieces that the filters leave, and at none after the
// first match in a text or of one that is known to match.
func (s *shard) sift(n *needle, first int, known *Matches, yield func(int) bool) (looks int) {
	next := int(s.spans[first].piece) // all before are done with
	var rows [filteredBytes]int
	at := s.filters.locate(rows[:0], n.grams)
	for word := next / 64; word < s.filters.width; word = max(word+1, next/64) {
		left := s.filters.candidates(word, at) & bitsFrom(next-word*64)
		for ; left != 0; left &= bitsFrom(next - word*64) {
			i := word*64 + bits.TrailingZeros64(left)
			text := int(s.pieces[i].text)
			if known == nil || !known.has(s.first+text) {
				looks++
				if from, to := s.reach(i, len(n.text)); !s.contains(s.spans[text], from, to, n) {
					next = i + 1
					continue
				}
				if !yield(text) {
					return looks
				}
			}
			next = int(s.spans[text+1].piece)
		}
	}
	return looks
}

// bitsFrom returns a word with all bits from the ith on.
func bitsFrom(i int) uint64 { return ^uint64(0) << max(i, 0) }

// contains reports whether n lies between from and to in the title of t or in
// its body.
func (s *shard) contains(t span, from, to int, n *needle) bool {
	middle := min(max(from, int(t.body)), to)
	return n.in(s.folded[middle:to]) || n.in(s.folded[from:middle])
}
