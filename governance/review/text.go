package review

import (
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

// derived is a text that was made of another, character by character, and knows
// where each byte comes from.
type derived struct {
	bytes []byte
	from  []Span // of each byte, the part of the other text that it stands for; nil if that is the same byte
}

// span returns the part of the other text that a part of this one, which is not
// empty, was made of.
func (d derived) span(s Span) Span {
	if d.from == nil {
		return s
	}
	return Span{d.from[s.Start].Start, d.from[s.End-1].End}
}

// spans maps spans of this text to the other one, which begins at an offset.
func (d derived) spans(all []Span, offset int) []Span {
	for i, s := range all {
		s = d.span(s)
		all[i] = Span{s.Start + offset, s.End + offset}
	}
	return all
}

func (d *derived) append(text []byte, from Span) {
	d.bytes = append(d.bytes, text...)
	for range text {
		d.from = append(d.from, from)
	}
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// without returns a text without the characters that a function tells.
func without(text string, drop func(rune) bool) derived {
	kept := derived{bytes: make([]byte, 0, len(text)), from: make([]Span, 0, len(text))}
	for i, r := range text {
		_, size := utf8.DecodeRuneInString(text[i:])
		if !drop(r) {
			kept.append([]byte(text[i:i+size]), Span{i, i + size})
		}
	}
	return kept
}

// versions returns the forms of a text that rules are held against: without null
// bytes, and where it differs as a reader may take it.
func versions(text string) []derived {
	given := derived{bytes: []byte(text)}
	if strings.Contains(text, "\x00") {
		given = without(text, func(r rune) bool { return r == 0 })
	}
	normal, differs := normalised(string(given.bytes))
	if !differs {
		return []derived{given}
	}
	for i, from := range normal.from {
		normal.from[i] = given.span(from)
	}
	return []derived{given, normal}
}

// maxGrowth is how many times as long a character may become in the normal form.
// The few that become longer are left as they are, so that no text is reviewed
// that is much longer than what was sent.
const maxGrowth = 4

// normalised returns the text as a reader may take it: without characters that
// cannot be seen, and in the normal form NFKC, in which a letter is the same
// whether it is wide, circled or mathematical. It reports false where that is the
// text itself.
func normalised(text string) (derived, bool) {
	if isASCII(text) {
		return derived{}, false
	}
	visible := without(text, invisible)
	if len(visible.bytes) == len(text) && norm.NFKC.IsNormalString(text) {
		return derived{}, false
	}
	normal := derived{bytes: make([]byte, 0, len(text)), from: make([]Span, 0, len(text))}
	for start := 0; start < len(visible.bytes); {
		rest := visible.bytes[start:]
		size := norm.NFKC.NextBoundary(rest, true)
		form := norm.NFKC.Append(nil, rest[:size]...)
		if len(form) > maxGrowth*size {
			form = rest[:size]
		}
		normal.append(form, visible.span(Span{start, start + size}))
		start += size
	}
	return normal, true
}

// invisible reports whether nothing is seen of a character: those that Unicode
// has ignored by default.
func invisible(r rune) bool {
	return r >= utf8.RuneSelf && unicode.In(r, hidden)
}

// hidden is Unicode's property Default_Ignorable_Code_Point, but for code points
// that are not assigned.
var hidden = &unicode.RangeTable{
	LatinOffset: 1,
	R16: []unicode.Range16{
		{Lo: 0x00AD, Hi: 0x00AD, Stride: 1}, // soft hyphen
		{Lo: 0x034F, Hi: 0x034F, Stride: 1}, // combining grapheme joiner
		{Lo: 0x061C, Hi: 0x061C, Stride: 1}, // Arabic letter mark
		{Lo: 0x115F, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17B4, Hi: 0x17B5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180B, Hi: 0x180F, Stride: 1}, // Mongolian selectors
		{Lo: 0x200B, Hi: 0x200F, Stride: 1}, // zero width, marks of direction
		{Lo: 0x202A, Hi: 0x202E, Stride: 1}, // embeddings and overrides of direction
		{Lo: 0x2060, Hi: 0x206F, Stride: 1}, // word joiner, isolates, invisible operators
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xFE00, Hi: 0xFE0F, Stride: 1}, // variation selectors
		{Lo: 0xFEFF, Hi: 0xFEFF, Stride: 1}, // byte order mark
		{Lo: 0xFFA0, Hi: 0xFFA0, Stride: 1}, // Hangul filler of half width
	},
	R32: []unicode.Range32{
		{Lo: 0x1D173, Hi: 0x1D17A, Stride: 1}, // of musical notation
		{Lo: 0xE0000, Hi: 0xE0FFF, Stride: 1}, // tags, more variation selectors
	},
}
