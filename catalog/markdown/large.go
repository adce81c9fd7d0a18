package markdown

import "bytes"

// partSize is about how much of a body is parsed at a time: goldmark's tree takes
// many times the memory of the text. Nearly all notes are smaller.
const partSize = 256 << 10

// parts cuts a body where that changes no link: before a line that is hardly
// indented and not in fenced code, after a blank one if there is one soon. A
// definition in another part than the link that uses it counts as a link by itself.
func parts(file []byte, span Span) (all []Span) {
	start, blank := span.Start, false
	var fence []byte
	for at := span.Start; at < span.End && span.End-start > partSize; {
		line, _, _ := bytes.Cut(file[at:span.End], []byte{'\n'})
		size := at - start
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		begins := indent < 4 && indent < len(line) && line[indent] != '\t' && line[indent] != '\r'
		if fence == nil && begins && (size > partSize && blank || size > 2*partSize) {
			all = append(all, Span{start, at})
			start = at
		}
		fence = fenceAfter(fence, line)
		blank = len(bytes.TrimSpace(line)) == 0
		at += len(line) + 1
	}
	return append(all, Span{start, span.End})
}

// fenceAfter returns the fence of the code that is open after a line, nil for none.
func fenceAfter(open, line []byte) []byte {
	line = bytes.TrimLeft(line, " ")
	if len(line) == 0 || line[0] != '`' && line[0] != '~' {
		return open
	}
	marks := line[:len(line)-len(bytes.TrimLeft(line, string(line[:1])))]
	switch {
	case open == nil && len(marks) >= 3 && (line[0] == '~' || !bytes.ContainsRune(line[len(marks):], '`')):
		return marks
	case open != nil && line[0] == open[0] && len(marks) >= len(open) && len(bytes.TrimSpace(line[len(marks):])) == 0:
		return nil
	}
	return open
}
