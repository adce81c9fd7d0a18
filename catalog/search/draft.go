package search

import "slices"

// A draft has the folded texts of a shard while it is made.
type draft struct {
	bytes  []byte   // all titles and bodies, end to end
	spans  []span   // one for each text, and one more that is empty
	pieces []uint32 // where each piece begins, and where the last ends
	fours  []uint32 // scratch
}

// A span says where in a draft a text lies. Its title ends where its body begins,
// and its body where the next text does.
type span struct {
	title, body uint32
}

// fold folds the texts of a shard, which end before the given one, and cuts them
// into its pieces.
func (d *draft) fold(texts *Texts, s *shard, end int) {
	r := reader{texts: texts}
	d.bytes, d.spans, d.pieces = d.bytes[:0], d.spans[:0], d.pieces[:0]
	for i := s.first; i < end; i++ {
		first := len(s.pieces)
		s.cut(texts, i)
		d.foldOne(&r, s, i, first)
	}
	s.starts = append(s.starts, uint32(len(s.pieces)))
	last := uint32(len(d.bytes))
	d.spans = append(d.spans, span{last, last})
	d.pieces = append(d.pieces, last)
}

// foldOne folds a text of which the pieces are cut from the given one on, and says
// which of them are mixed.
func (d *draft) foldOne(r *reader, s *shard, i, first int) {
	title, body := r.texts.Title(i), r.texts.Body(i)
	begin := uint32(len(d.bytes))
	d.bytes = r.folder.append(d.bytes, title)
	d.spans = append(d.spans, span{begin, uint32(len(d.bytes))})
	mixed := foldsToASCII(title)
	for k := first; k < len(s.pieces); k++ {
		d.pieces = append(d.pieces, begin)
		decoded := r.decode(body[s.pieces[k].start:s.end(k, body)])
		d.bytes = r.folder.append(d.bytes, decoded)
		s.pieces[k].mixed = mixed || foldsToASCII(decoded)
		begin, mixed = uint32(len(d.bytes)), false
	}
}

// len returns the number of texts.
func (d *draft) len() int { return len(d.spans) - 1 }

// title returns where the folded title of a text lies, and body its body.
func (d *draft) title(i int) place { return place{d.spans[i].title, d.spans[i].body} }
func (d *draft) body(i int) place  { return place{d.spans[i].body, d.spans[i+1].title} }

// A place is a stretch of a draft.
type place struct{ start, end uint32 }

// padded returns all bytes and eight more, so that eight can be read at each place.
func (d *draft) padded() []byte {
	d.bytes = slices.Grow(d.bytes, 8)
	return d.bytes[:len(d.bytes)+8]
}

func (d *draft) at(p place) []byte { return d.bytes[p.start:p.end] }

// filter returns the signatures of the pieces: with the keys of runs for the texts
// that have tokens without a set, of which it is given a bitmap.
func (d *draft) filter(rest bitmap) signatures {
	count := len(d.pieces) - 1
	filters := newSignatures(count, len(d.bytes)*bitsPerByte)
	text := 0
	for i := range count {
		for d.spans[text+1].title <= d.pieces[i] {
			text++
		}
		end := min(d.pieces[i+1]+filteredBytes-1, d.spans[text+1].title)
		piece := d.at(place{d.pieces[i], end})
		d.fours = filters.addSeparated(i, piece, d.fours)
		if rest != nil && rest.has(text) {
			filters.addRuns(i, piece)
		}
	}
	return filters
}
