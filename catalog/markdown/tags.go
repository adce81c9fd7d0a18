package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// TrimTag returns a front matter tag without a leading "#".
func TrimTag(tag string) string { return strings.TrimPrefix(tag, "#") }

// inlineTags appends the tags in a text node of a body, such as #idea and #a/b.
func inlineTags(source []byte, n *ast.Text, tags []string) []string {
	text := n.Segment.Value(source)
	for at := 0; at < len(text); {
		hash := bytes.IndexByte(text[at:], '#')
		if hash < 0 {
			break
		}
		at += hash
		if !(at == 0 && beginsLine(n)) && !mayPrecedeTag(source[:n.Segment.Start+at]) {
			at++
			continue
		}
		length := tagLength(text[at+1:])
		if tag := text[at+1 : at+1+length]; bytes.ContainsFunc(tag, unicode.IsLetter) {
			tags = append(tags, string(tag))
		}
		at += 1 + length
	}
	return tags
}

// beginsLine reports whether a text node is at the beginning of a line of its block.
func beginsLine(n *ast.Text) bool {
	before, ok := n.PreviousSibling().(*ast.Text)
	return n.PreviousSibling() == nil && n.Parent().Type() == ast.TypeBlock || ok && (before.SoftLineBreak() || before.HardLineBreak())
}

// mayPrecedeTag reports whether a tag may begin directly after text: at the start, after a
// blank, or after an opening bracket, but not after "[[", because [[#part]] is a link
// within the note.
func mayPrecedeTag(text []byte) bool {
	r, size := utf8.DecodeLastRune(text)
	return size == 0 || unicode.IsSpace(r) || strings.ContainsRune("([{", r) && !bytes.HasSuffix(text, []byte("[["))
}

// tagLength returns the length in bytes of the tag at the start of a text, or 0. A tag does
// not end with a slash.
func tagLength(text []byte) int {
	inTag := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("-_/", r)
	}
	end := bytes.IndexFunc(text, func(r rune) bool { return !inTag(r) })
	if end < 0 {
		end = len(text)
	}
	return len(bytes.TrimRight(text[:end], "/"))
}
