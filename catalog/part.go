package catalog

// Part returns the entry as it is served with a part of its body: up to limit
// code points (all that follow, for limit 0) from offset on, counted from 0.
// All else is that of the whole entry, its SourceHash, too. The offset must be
// less than [Body.Length], for a body is never empty.
func (e *Entry) Part(offset, limit int) *Entry {
	text := e.Body.Text()
	text = text[skip(text, offset):]
	if limit > 0 {
		text = text[:skip(text, limit)]
	}
	part := *e
	part.Body = BodyOf(text)
	part.encoded = part.appendElement(nil, func(Field) bool { return true })
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
