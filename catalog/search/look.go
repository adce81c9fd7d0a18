package search

// A look looks at pieces of texts for a needle. It is for one goroutine.
type look struct {
	reader
	needle *needle
	known  *Matches // nil for none
	folded []byte   // scratch
}

func newLook(texts *Texts, n *needle, known *Matches) *look {
	return &look{reader: reader{texts: texts}, needle: n, known: known}
}

// finds reports whether the needle begins in a piece of a shard. It may also find
// it further on in the same text.
func (l *look) finds(s *shard, i int) bool {
	p := s.pieces[i]
	text := s.first + int(p.text)
	title, body := "", l.texts.Body(text)
	if i == int(s.starts[p.text]) {
		title = l.texts.Title(text)
	}
	end := s.end(i, body)
	if l.needle.verbatim {
		reach := min(end+len(l.needle.text)-1, len(body))
		if !s.mixed(i, reach, body) && !l.needle.inAnyCase(body[p.start:reach]) && !l.needle.inAnyCase(title) {
			return false
		}
	}
	if reach := end + mostKept*(len(l.needle.text)-1); reach < len(body) {
		body = body[:l.texts.Cut(body, end, reach)]
	}
	return l.contains(title, body[p.start:])
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
