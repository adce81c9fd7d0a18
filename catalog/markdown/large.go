package markdown

import "bytes"

// partSize is the approximate size, in bytes, of the part of a body that is parsed at a
// time. goldmark's tree takes many times the memory of the text. Nearly all notes are
// smaller than partSize.
const partSize = 256 << 10

// parts splits a body where splitting does not change links: before a line that has less
// than four spaces of indentation and is not in fenced code. It prefers lines after a blank
// line, but looks no further than twice partSize for one. If a definition and a link that
// uses it are in different parts, the definition counts as unused, and so as a link itself.
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

// fenceAfter returns the fence of the code block that is open after a line, or nil.
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
