package search

// pieceBytes is about the length of a piece. Smaller pieces reject more texts
// that have the keys of a query, but far apart; larger ones make fewer words to
// AND.
const pieceBytes = 256

// A shard is a run of neighbouring texts with everything needed to search it but
// the texts.
type shard struct {
	first   int      // position of its first text in the index
	starts  []uint32 // of each text, its first piece; and the number of pieces
	pieces  []piece
	filters signatures // one column per piece
	tokens  tokenSets
}

// A piece is a stretch of one body, and of the title where it is the first of its
// text. It ends where the next piece of the text starts, or the text does.
type piece struct {
	start uint32 // in the body as it is kept
	text  uint16 // counted from the shard's first
	mixed bool   // has a character beyond ASCII that folds to one of ASCII, as the Kelvin sign does
}

// A worker makes shards, one after the other.
type worker struct {
	draft  draft
	grams  gramCounter
	tokens tokenCounter
	merger gramMerger
	used   *usedGrams

	known    *clusters
	clusters []uint64 // scratch
	places   []uint32 // scratch
}

// newShard makes a shard, and returns what it adds to its group.
func (w *worker) newShard(texts *Texts, p part) (shard, contribution) {
	s := shard{
		first:  p.first,
		starts: make([]uint32, 0, p.end-p.first+1),
		pieces: make([]piece, 0, p.end-p.first+p.bytes/pieceBytes),
	}
	w.draft.fold(texts, &s, p.end)
	var c contribution
	c.grams = w.grams.collect(&w.draft, w.used.take())
	s.tokens, c.tokens = w.tokens.collect(&w.draft)
	s.filters = w.draft.filter(c.tokens.rest)
	return s, c
}

// len returns the number of texts.
func (s *shard) len() int { return len(s.starts) - 1 }

// cut makes the pieces of the next text, the ith of all: as few as may be, of about
// equal length.
func (s *shard) cut(texts *Texts, i int) {
	s.starts = append(s.starts, uint32(len(s.pieces)))
	title, body := len(texts.Title(i)), texts.Body(i)
	text := uint16(i - s.first)
	count := (title + len(body) + pieceBytes - 1) / pieceBytes
	if count > 0 {
		s.pieces = append(s.pieces, piece{text: text})
	}
	for k, last := 1, 0; k < count; k++ {
		start := k*(title+len(body))/count - title
		if start <= last {
			continue // the title alone is so long
		}
		if start = texts.Cut(body, last, start); start < len(body) {
			s.pieces = append(s.pieces, piece{start: uint32(start), text: text})
			last = start
		}
	}
}

// end returns where a piece ends in a kept body.
func (s *shard) end(i int, body string) int {
	if next := i + 1; next < len(s.pieces) && s.pieces[next].text == s.pieces[i].text {
		return int(s.pieces[next].start)
	}
	return len(body)
}

// mixed reports whether one of the pieces is that begin with the ith and have all
// up to a place in its body.
func (s *shard) mixed(i, upTo int, body string) bool {
	for s.end(i, body) < upTo && !s.pieces[i].mixed {
		i++
	}
	return s.pieces[i].mixed
}
