package review

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Span is a part of a text, as byte offsets: from Start up to but not including End.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

func (s Span) overlaps(t Span) bool { return s.Start < t.End && t.Start < s.End }

// view is a form of a text that rules search. It maps each part of itself to the part
// of the text that it was made from.
type view struct {
	text     string
	rendered bool // whether markup and escapes were removed

	of     *view // the view it was made from; nil for the text itself
	pieces []piece
}

// piece is a part of a view, up to the next piece.
type piece struct {
	start int  // offset in the view
	part  Span // in the view that it was made from
	same  bool // whether it has the same bytes as part; otherwise all of it maps to all of part
}

// span returns the part of the given text that a part of the view was made from. The
// part of the view must not be empty. The result is empty or has a negative length if
// the part spans text that was moved to the end.
func (v *view) span(s Span) Span {
	if v.of == nil {
		return s
	}
	return v.of.span(Span{v.origin(s.Start).Start, v.origin(s.End - 1).End})
}

// origin returns the part of the underlying view that the byte at an offset was made
// from.
func (v *view) origin(at int) Span {
	i, _ := slices.BinarySearchFunc(v.pieces, at+1, func(p piece, at int) int { return p.start - at })
	p := v.pieces[i-1]
	if p.same {
		return Span{p.part.Start + at - p.start, p.part.Start + at - p.start + 1}
	}
	return p.part
}

// spans maps parts of the view to the given text, which begins at offset in the whole
// text. It drops parts that [view.span] cannot map.
func (v *view) spans(all []Span, offset int) []Span {
	var given []Span
	for _, s := range all {
		if s = v.span(s); s.Start < s.End {
			given = append(given, Span{s.Start + offset, s.End + offset})
		}
	}
	return given
}

// viewBuilder builds a view from another one.
type viewBuilder struct {
	of     *view
	text   strings.Builder
	pieces []piece
}

// add appends text as the replacement for a part of the other view.
func (b *viewBuilder) add(text string, part Span) {
	if text != "" {
		b.pieces = append(b.pieces, piece{b.text.Len(), part, false})
		b.text.WriteString(text)
	}
}

// keep appends a part of the other view unchanged.
func (b *viewBuilder) keep(part Span) {
	if part.Start < part.End {
		b.pieces = append(b.pieces, piece{b.text.Len(), part, true})
		b.text.WriteString(b.of.text[part.Start:part.End])
	}
}

func (b *viewBuilder) view() *view {
	return &view{text: b.text.String(), of: b.of, pieces: b.pieces}
}

// edit returns the number of bytes to replace at an offset of a text, and their
// replacement. If size is 0, the byte at the offset is kept.
type edit func(text string, at int) (size int, replacement string)

// rewrite appends a part of the other view and applies an edit at every offset.
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

// rewrite returns the view with an edit applied at every offset. If nothing changes,
// it returns the same view.
func (v *view) rewrite(e edit) *view {
	b := viewBuilder{of: v}
	b.rewrite(Span{0, len(v.text)}, e)
	if b.text.Len() == len(v.text) && b.text.String() == v.text {
		return v
	}
	return b.view()
}

// viewsOf returns the distinct views of a text: as given without null bytes;
// normalised; and, if withRendered is set, rendered.
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

// maxGrowth is the maximum factor by which the normal form may lengthen a segment of
// text. The few segments that would grow more are kept, so that the reviewed text is
// not much longer than the given one.
const maxGrowth = 4

// normalised returns the view without invisible characters and in the normal form
// NFKC, which maps wide, circled and mathematical letters to plain ones.
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

// hidden holds the invisible characters that are neither format characters (Cf) nor for
// private use (Co). Most have the Unicode property Default_Ignorable_Code_Point.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x034F, Hi: 0x034F, Stride: 1}, // combining grapheme joiner
		{Lo: 0x115F, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180B, Hi: 0x180F, Stride: 1}, // Mongolian selectors
		{Lo: 0x2065, Hi: 0x2065, Stride: 1}, // unassigned, default ignorable
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xFE00, Hi: 0xFE0F, Stride: 1}, // variation selectors
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1}, // half-width Hangul filler
		{Lo: 0xFFFC, Hi: 0xFFFC, Stride: 1}, // object replacement
	},
	R32: []unicode.Range32{
		{Lo: 0xE0000, Hi: 0xE0FFF, Stride: 1}, // tags, more variation selectors
	},
}
