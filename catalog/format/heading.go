package format

import (
	"cmp"
	"path"
	"strings"
	"unicode/utf8"

	"instruction-catalog/catalog"
)

// defaultTitle is the title of a Markdown file that does not name one: its
// first heading, else its name without the extension. It is never blank, as a
// heading or a name may be.
func defaultTitle(body, file string) string {
	name := path.Base(nameOf(file))
	return cmp.Or(
		strings.TrimSpace(firstHeading(body)),
		strings.TrimSpace(strings.TrimSuffix(name, path.Ext(name))),
		name)
}

// cutTitle is as much of a title as the contract takes.
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

// firstHeading returns the text of the first heading, ATX or setext, that is
// not within fenced code or an HTML comment (CommonMark, sections 4.2 and
// 4.3). It is "" if there is none.
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

// blocks follows the blocks of a Markdown text as far as it takes to know a
// heading when it comes.
type blocks struct {
	fence     string // that closes the code that we are in
	comment   bool   // we are in an HTML comment
	paragraph string // that a setext underline would make a heading
	other     bool   // we are in a list, a quote, a table or HTML, until a blank line
}

// next takes the next line and returns the heading that it completes, if any.
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

// extend adds a line to the paragraph, unless there is more than a title can
// hold already.
func (b *blocks) extend(content string) {
	if len(b.paragraph) < catalog.MaxTitle*utf8.UTFMax {
		b.paragraph += " " + content
	}
}

// maxIndent is how far a block may be indented without being code.
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

// openingFence returns the characters that open fenced code, "" if none do.
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

// atxText is the text of an ATX heading without the '#' at either end.
func atxText(content string) string {
	inner := strings.Trim(strings.TrimLeft(content, "#"), " \t")
	open := strings.TrimRight(inner, "#")
	if open == "" || strings.HasSuffix(open, " ") || strings.HasSuffix(open, "\t") {
		return strings.TrimRight(open, " \t")
	}
	return inner
}

// isUnderline reports whether a line makes the paragraph above it a heading.
func isUnderline(content string) bool {
	return strings.Trim(content, "=") == "" || strings.Trim(content, "-") == ""
}

// isRule reports whether a line is a rule, such as "* * *".
func isRule(content string) bool {
	marks := strings.NewReplacer(" ", "", "\t", "").Replace(content)
	return len(marks) >= 3 && strings.Trim(marks, marks[:1]) == "" && strings.Contains("-*_", marks[:1])
}

// beginsOther reports whether a line begins a block that is no paragraph, so
// that a line of dashes below it is a rule and not an underline.
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
