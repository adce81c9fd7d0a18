package catalog

import "unicode/utf8"

// BodyLength returns the length of the body in Unicode code points.
func (e *Entry) BodyLength() int { return utf8.RuneCountInString(e.Body) }

// Part returns the entry as it is served with a part of its body: up to limit
// code points (all that follow, for limit 0) from offset on, counted from 0.
// All else is that of the whole entry, its SourceHash, too. The offset must be
// less than [Entry.BodyLength], for a body is never empty.
func (e *Entry) Part(offset, limit int) *Entry {
	part := *e
	part.Body = part.Body[skip(part.Body, offset):]
	if limit > 0 {
		part.Body = part.Body[:skip(part.Body, limit)]
	}
	part.encoded = part.encode()
	return &part
}

// skip returns how many bytes the first n code points of a text have, or all
// of them where there are fewer.
func skip(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}
