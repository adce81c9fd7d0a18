package search

// A look looks at pieces of texts for a needle. It is for one goroutine.
type look struct {
	reader
	needle  *needle
	matches *Matches // what is found already
	folded  []byte   // scratch

	// Of one shard:
	shard *shard
	next  int    // the first piece that is not done with
	found uint64 // texts that it has found and not entered yet
	word  int    // in which word of the matches

	// Bodies lie apart in memory, and fetching one takes longer than comparing it.
	// So it approaches some pieces, which the processor then fetches at once,
	// before it looks at them.
	ahead   [mostAhead]approached
	count   int  // of those ahead
	touched byte // keeps the compiler from leaving a touch out
}

// mostAhead is about how many pieces a processor can be made to fetch at once.
const mostAhead = 12

type approached struct {
	piece int
	body  string
}

func newLook(texts *Texts, n *needle, m *Matches) *look {
	return &look{reader: reader{texts: texts}, needle: n, matches: m}
}

// begin goes to a shard, and end leaves it.
func (l *look) begin(s *shard) { l.shard, l.next = s, 0 }

func (l *look) end() {
	l.look()
	l.enter()
}

// enter enters what it has found. To do so with each text by itself would take a
// tenth of the time.
func (l *look) enter() {
	l.matches.words.add(l.word, l.found)
	l.found = 0
}

// approach reports whether it is time to look, with the ith piece the last.
func (l *look) approach(i int) bool {
	p := l.shard.pieces[i]
	body := l.texts.Body(l.shard.first + int(p.text))
	for at := int(p.start); at < min(int(p.start)+pieceBytes, len(body)); at += 2 * cacheLine {
		l.touched += body[at]
	}
	l.ahead[l.count] = approached{i, body}
	l.count++
	return l.count == mostAhead
}

// cacheLine is the length of those of most processors; two are often fetched
// together.
const cacheLine = 64

// look looks at what it has approached, and finds the texts that have the needle.
func (l *look) look() {
	ahead := l.ahead[:l.count]
	l.count = 0
	for _, a := range ahead {
		if a.piece < l.next {
			continue // its text is found already
		}
		if l.finds(l.shard, a.piece, a.body) {
			text := int(l.shard.pieces[a.piece].text)
			l.next = int(l.shard.starts[text+1])
			if at := l.shard.first + text; at/64 != l.word {
				l.enter()
				l.word = at / 64
			}
			l.found |= 1 << ((l.shard.first + text) % 64)
		}
	}
}

// finds reports whether the needle begins in a piece of a shard. It may also find
// it further on in the same text, of which it is given the body.
func (l *look) finds(s *shard, i int, body string) bool {
	p := s.pieces[i]
	title := ""
	if i == int(s.starts[p.text]) {
		title = l.texts.Title(s.first + int(p.text))
	}
	end := s.end(i, body)
	if n := l.needle; n.inBody != nil {
		reach := min(end+len(n.inBody.text)-1, len(body))
		if n.inTitle.index(title) >= 0 || l.stands(body[:reach], int(p.start)) {
			return true
		}
		if !s.mixed(i, reach, body) {
			return false
		}
	}
	if reach := end + mostKept*(len(l.needle.text)-1); reach < len(body) {
		body = body[:l.texts.Cut(body, end, reach)]
	}
	return l.contains(title, body[p.start:])
}

// stands reports whether the needle stands as it is, but for its case, in a kept
// body behind a place where that may be cut. Where it begins, the body may be cut:
// else its first byte belongs to something else.
func (l *look) stands(kept string, from int) bool {
	for at := from; ; at++ {
		next := l.needle.inBody.index(kept[at:])
		if next < 0 {
			return false
		}
		if at += next; l.texts.Cut(kept, from, at) == at {
			return true
		}
	}
}

// contains folds a title and a part of a body, and compares.
func (l *look) contains(title, kept string) bool {
	l.folded = l.body(l.folded[:0], kept)
	if l.needle.in(l.folded) {
		return true
	}
	l.folded = l.folder.append(l.folded[:0], title)
	return l.needle.in(l.folded)
}
