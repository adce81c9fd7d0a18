package review

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Span is a part of a text, in bytes: from Start up to and without End.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

func (s Span) overlaps(t Span) bool { return s.Start < t.End && t.Start < s.End }

// view is a form of a text in which rules look for their patterns. It knows which part
// of the text it was made from each part of it stands for.
type view struct {
	text     string
	rendered bool // whether markup and escapes are gone

	of     *view // what it was made from; nil for the text itself
	pieces []piece
}

// piece is a part of a view, up to the next piece.
type piece struct {
	start int  // in the view
	part  Span // of the view that it was made from
	same  bool // whether it has the bytes of that part; else it stands for the part as a whole
}

// span returns the part of the given text that a part of the view, which is not empty,
// was made of. It is empty or negative if the part leads to what was moved to the end.
func (v *view) span(s Span) Span {
	if v.of == nil {
		return s
	}
	return v.of.span(Span{v.origin(s.Start).Start, v.origin(s.End - 1).End})
}

// origin returns what the byte at a place stands for.
func (v *view) origin(at int) Span {
	i, _ := slices.BinarySearchFunc(v.pieces, at+1, func(p piece, at int) int { return p.start - at })
	p := v.pieces[i-1]
	if p.same {
		return Span{p.part.Start + at - p.start, p.part.Start + at - p.start + 1}
	}
	return p.part
}

// spans maps parts of the view to the given text, which begins at an offset.
func (v *view) spans(all []Span, offset int) []Span {
	var given []Span
	for _, s := range all {
		if s = v.span(s); s.Start < s.End {
			given = append(given, Span{s.Start + offset, s.End + offset})
		}
	}
	return given
}

// viewBuilder makes a view from another one.
type viewBuilder struct {
	of     *view
	text   strings.Builder
	pieces []piece
}

// add adds a text that stands for a part of the other view.
func (b *viewBuilder) add(text string, part Span) {
	if text != "" {
		b.pieces = append(b.pieces, piece{b.text.Len(), part, false})
		b.text.WriteString(text)
	}
}

// keep adds a part of the other view as it is.
func (b *viewBuilder) keep(part Span) {
	if part.Start < part.End {
		b.pieces = append(b.pieces, piece{b.text.Len(), part, true})
		b.text.WriteString(b.of.text[part.Start:part.End])
	}
}

func (b *viewBuilder) view() *view {
	return &view{text: b.text.String(), of: b.of, pieces: b.pieces}
}

// edit returns the replacement for the size bytes at a place of a text. If size is 0,
// the byte there stays.
type edit func(text string, at int) (size int, replacement string)

// rewrite adds a part of the other view with an edit applied at every place.
func (b *viewBuilder) rewrite(part Span, e edit) {
	kept := part.Start
	for at := part.Start; at < part.End; {
		size, replacement := e(b.of.text, at)
		if size == 0 {
			at++
			continue
		}
		b.keep(Span{kept, at})
		b.add(replacement, Span{at, at + size})
		at += size
		kept = at
	}
	b.keep(Span{kept, part.End})
}

// rewrite returns the view with an edit applied at every place.
func (v *view) rewrite(e edit) *view {
	b := viewBuilder{of: v}
	b.rewrite(Span{0, len(v.text)}, e)
	if b.text.Len() == len(v.text) && b.text.String() == v.text {
		return v
	}
	return b.view()
}

// viewsOf returns the views of a text: as given, without null bytes; normalised; and
// rendered if asked for. Views that equal another are left out.
func viewsOf(text string, withRendered bool) []*view {
	given := &view{text: text}
	if strings.Contains(text, "\x00") {
		given = given.rewrite(withoutNull)
	}
	views := []*view{given}
	normal := given.normalised()
	if normal.text != given.text {
		views = append(views, normal)
	}
	if !withRendered {
		return views
	}
	if rendered := normal.render(); rendered.text != normal.text {
		rendered.rendered = true
		views = append(views, rendered)
	}
	return views
}

func withoutNull(text string, at int) (int, string) {
	if text[at] == 0 {
		return 1, ""
	}
	return 0, ""
}

// maxGrowth is how many times as long a character may become in the normal form.
// The few that become longer are left as they are, so that no text is reviewed
// that is much longer than what was sent.
const maxGrowth = 4

// normalised returns the view without characters that cannot be seen, and in the
// normal form NFKC, in which a letter is the same whether it is wide, circled or
// mathematical.
func (v *view) normalised() *view {
	if isASCII(v.text) {
		return v
	}
	visible := v.rewrite(withoutInvisible)
	if norm.NFKC.IsNormalString(visible.text) {
		return visible
	}
	return visible.rewrite(func(text string, at int) (int, string) {
		size := norm.NFKC.NextBoundaryInString(text[at:], true)
		form := norm.NFKC.String(text[at : at+size])
		if len(form) > maxGrowth*size {
			form = text[at : at+size]
		}
		return size, form
	})
}

func withoutInvisible(text string, at int) (int, string) {
	if text[at] < utf8.RuneSelf {
		return 0, ""
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	if unicode.In(r, hidden, unicode.Cf, unicode.Co) {
		return size, ""
	}
	return 0, ""
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// hidden is what cannot be seen beside Unicode's format characters and those of
// private use: the rest of its property Default_Ignorable_Code_Point.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034F, Hi: 0x034F, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115F, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180B, Hi: 0x180F, Stride: 1}, // Mongolian selectors
		{Lo: 0x2065, Hi: 0x2065, Stride: 1}, // not assigned, ignored
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xFE00, Hi: 0xFE0F, Stride: 1}, // variation selectors
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1}, // Hangul filler of half width
		{Lo: 0xFFFC, Hi: 0xFFFC, Stride: 1}, // object replacement
	},
	R32: []unicode.Range32{
		{Lo: 0xE0000, Hi: 0xE0FFF, Stride: 1}, // tags, more variation selectors
	},
}
