package format

import (
	"cmp"
	"path"
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog"
)

// defaultTitle returns the title of a Markdown file that does not set one: its first
// heading, else its name without the extension. A heading or a name may be blank; the
// title never is.
func defaultTitle(body, file string) string {
	name := path.Base(nameOf(file))
	return cmp.Or(
		strings.TrimSpace(firstHeading(body)),
		strings.TrimSpace(strings.TrimSuffix(name, path.Ext(name))),
		name)
}

// cutTitle cuts a title to the length that the contract allows.
func cutTitle(title string) string {
	count := 0
	for i := range title {
		if count == catalog.MaxTitle {
			return title[:i]
		}
		count++
	}
	return title
}

// firstHeading returns the text of the first heading, ATX or setext, outside fenced
// code and HTML comments (CommonMark, sections 4.2 and 4.3). It returns "" if there is
// no heading.
func firstHeading(body string) string {
	var b blocks
	for line := range strings.Lines(body) {
		content, indent := trimIndent(strings.TrimRight(line, " \t\r\n"))
		if title := b.next(content, indent); title != "" {
			return title
		}
	}
	return ""
}

// blocks tracks the blocks of a Markdown text, as far as needed to recognise headings.
type blocks struct {
	fence     string // the opening fence of the current code block; "" outside one
	comment   bool   // inside an HTML comment
	paragraph string // the current paragraph, which a setext underline would make a heading
	other     bool   // inside a list, a quote, a table or HTML, until a blank line
}

// next processes the next line and returns the heading that it completes, or "".
func (b *blocks) next(content string, indent int) (heading string) {
	code := indent > maxIndent
	switch {
	case b.fence != "":
		if !code && closesFence(content, b.fence) {
			b.fence = ""
		}
	case b.comment || strings.HasPrefix(content, "<!--"):
		*b = blocks{comment: !strings.Contains(content, "-->")}
	case content == "":
		*b = blocks{}
	case code && b.paragraph == "":
	case code:
		b.extend(content)
	case openingFence(content) != "":
		*b = blocks{fence: openingFence(content)}
	case isATX(content):
		*b = blocks{}
		return atxText(content)
	case b.paragraph != "" && isUnderline(content):
		return b.paragraph
	case b.paragraph != "":
		b.extend(content)
	case isRule(content):
		*b = blocks{}
	case b.other || beginsOther(content):
		b.other = true
	default:
		b.paragraph = content
	}
	return ""
}

// extend adds a line to the paragraph, unless the paragraph is already longer than a
// title may be.
func (b *blocks) extend(content string) {
	if len(b.paragraph) < catalog.MaxTitle*utf8.UTFMax {
		b.paragraph += " " + content
	}
}

// maxIndent is the maximum indentation of a block that is not code.
const maxIndent = 3

func trimIndent(line string) (content string, indent int) {
	for i, c := range line {
		switch c {
		case ' ':
			indent++
		case '\t':
			indent += 4 - indent%4
		default:
			return line[i:], indent
		}
	}
	return "", indent
}

// openingFence returns the characters that open fenced code, or "" if the line does not
// open any.
func openingFence(content string) string {
	c := content[0]
	if c != '`' && c != '~' {
		return ""
	}
	info := strings.TrimLeft(content, content[:1])
	fence := content[:len(content)-len(info)]
	if len(fence) < 3 || c == '`' && strings.Contains(info, "`") {
		return ""
	}
	return fence
}

func closesFence(content, fence string) bool {
	return strings.HasPrefix(content, fence) && strings.Trim(content, fence[:1]) == ""
}

// isATX reports whether a line is a heading that begins with 1 to 6 '#'.
func isATX(content string) bool {
	after := strings.TrimLeft(content, "#")
	level := len(content) - len(after)
	return level >= 1 && level <= 6 && (after == "" || after[0] == ' ' || after[0] == '\t')
}

// atxText returns the text of an ATX heading without the '#' at its start and end.
func atxText(content string) string {
	inner := strings.Trim(strings.TrimLeft(content, "#"), " \t")
	open := strings.TrimRight(inner, "#")
	if open == "" || strings.HasSuffix(open, " ") || strings.HasSuffix(open, "\t") {
		return strings.TrimRight(open, " \t")
	}
	return inner
}

// isUnderline reports whether a line is a setext underline, which makes the paragraph
// above it a heading.
func isUnderline(content string) bool {
	return strings.Trim(content, "=") == "" || strings.Trim(content, "-") == ""
}

// isRule reports whether a line is a thematic break, such as "* * *".
func isRule(content string) bool {
	marks := strings.NewReplacer(" ", "", "\t", "").Replace(content)
	return len(marks) >= 3 && strings.Trim(marks, marks[:1]) == "" && strings.Contains("-*_", marks[:1])
}

// beginsOther reports whether a line begins a block other than a paragraph. A line of
// dashes below such a line is a thematic break, not an underline.
func beginsOther(content string) bool {
	if strings.ContainsRune(">|<", rune(content[0])) || isOrderedItem(content) {
		return true
	}
	marker, _, _ := strings.Cut(content, " ")
	return marker == "-" || marker == "*" || marker == "+"
}

func isOrderedItem(content string) bool {
	after := strings.TrimLeft(content, "0123456789")
	return after != content && (strings.HasPrefix(after, ". ") || strings.HasPrefix(after, ") "))
}
