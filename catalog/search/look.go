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
		if l.needle.indexAnyCase(title) >= 0 || l.stands(body[:reach], int(p.start)) {
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
		next := l.needle.indexAnyCase(kept[at:])
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
