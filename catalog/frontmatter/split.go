package frontmatter

import "bytes"

// Cut splits a file without a byte order mark into front matter and body. The front matter
// is between the first line, if that is "---", and the next such line. If there is no next
// such line, front and body are nil and found is true. If the first line is not "---",
// found is false and body is the file. The results alias file.
func Cut(file []byte) (front, body []byte, found bool) {
	first, rest := CutLine(file)
	if !IsFence(first) {
		return nil, file, false
	}
	front = rest
	for len(rest) > 0 {
		line, after := CutLine(rest)
		if IsFence(line) {
			end := len(front) - len(rest)
			return front[:end:end], after, true
		}
		rest = after
	}
	return nil, nil, true
}

// CutLine cuts a text after its first newline. Without a newline, rest is nil.
func CutLine(text []byte) (line, rest []byte) {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return text[:i+1], text[i+1:]
	}
	return text, nil
}

// IsFence reports whether a line is "---", ignoring trailing blanks and its line end.
func IsFence(line []byte) bool {
	return string(bytes.TrimRight(line, " \t\r\n")) == "---"
}
