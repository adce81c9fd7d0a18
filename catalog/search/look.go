package search

// A look looks at pieces of texts for a needle. It is for one goroutine.
type look struct {
	reader
	needle *needle
	folded []byte // scratch
}

func newLook(texts *Texts, n *needle) *look { return &look{reader: reader{texts: texts}, needle: n} }

// finds reports whether the needle begins in a piece of a shard. It may also find
// it further on in the same text.
func (l *look) finds(s *shard, i int) bool {
	p := s.pieces[i]
	text := s.first + int(p.text)
	if i == int(s.starts[p.text]) {
		l.folded = l.title(l.folded[:0], text)
		if l.needle.in(l.folded) {
			return true
		}
	}
	body := l.texts.Body(text)
	end := s.end(i, body)
	if reach := end + mostKept*(len(l.needle.text)-1); reach >= len(body) {
		end = len(body)
	} else {
		end = l.texts.Cut(body, end, reach)
	}
	l.folded = l.body(l.folded[:0], body[p.start:end])
	return l.needle.in(l.folded)
}
