package review

import (
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// render returns the view as a page or a terminal shows it: it decodes entities and
// escapes, removes control characters, combining marks and markup, and collapses white
// space. It appends text that markup hides (comments, attributes, addresses).
func (v *view) render() *view {
	for range maxEncodings {
		decoded := v.rewrite(decodeEscape).normalised()
		if decoded.text == v.text {
			break
		}
		v = decoded
	}
	return v.rewrite(plainCharacter).withoutMarkup().rewrite(collapseBlanks)
}

// maxEncodings is the maximum number of nested encodings that are decoded.
const maxEncodings = 3

// Syntax that render decodes or removes. Each expression matches only at the beginning
// of a text.
var (
	escapeSyntax = syntaxOf(`&(?:#[0-9]{1,40};?|#[xX][[:xdigit:]]{1,40};?|[a-zA-Z][a-zA-Z0-9]{1,30};)` +
		`|(?:%[[:xdigit:]]{2})+` +
		`|\\(?:u\{[[:xdigit:]]{1,6}\}|u[[:xdigit:]]{4}|U[[:xdigit:]]{8}|x[[:xdigit:]]{2}|[0-7]{3}|[abefnrtv"\\])`)
	terminalSyntax = syntaxOf(`(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]`)
	tagSyntax      = syntaxOf(`</?([a-zA-Z][a-zA-Z0-9-]*)(?:[\s/](?:"[^"<]*"|'[^'<]*'|[^<>"'])*)?>|<(?:[!?]|/[^a-zA-Z<>])[^<>]*>`)
	addressSyntax  = syntaxOf(`\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]\n]*\])`)
	templateSyntax = syntaxOf(`\{\{\s*(?:"([^"{}]*)"|'([^'{}]*)')\s*\}\}`)
	prefixSyntax   = syntaxOf(`(?:[ \t]*>)*[ \t]*(?:#{1,6}[ \t]+)?`)
)

func syntaxOf(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + pattern + `)`) })
}

// decodeEscape decodes an HTML entity, a run of percent-encoded bytes, or an escape of
// JSON, JavaScript, C or a shell.
func decodeEscape(text string, at int) (int, string) {
	if c := text[at]; c != '&' && c != '%' && c != '\\' {
		return 0, ""
	}
	found, decoded := escapeSyntax().FindString(text[at:]), ""
	switch {
	case found == "":
		return 0, ""
	case found[0] == '&':
		decoded = html.UnescapeString(found)
	case found[0] == '%':
		decoded, _ = url.PathUnescape(found) // escapeSyntax has checked it
	case found == `\e`:
		decoded = "\x1b"
	case strings.HasPrefix(found, `\u{`):
		number, _ := strconv.ParseUint(found[3:len(found)-1], 16, 32) // digits
		decoded = string(rune(number))
	default:
		r, _, _, err := strconv.UnquoteChar(found, '"')
		if err != nil { // half of a surrogate pair
			return 0, ""
		}
		decoded = string(r)
	}
	if !utf8.ValidString(decoded) {
		return 0, ""
	}
	return len(found), decoded
}

// plainCharacter removes control characters, terminal escape sequences and diacritics
// of Latin letters, and replaces Unicode spaces and lookalikes. It is an [edit].
func plainCharacter(text string, at int) (int, string) {
	if c := text[at]; ' ' <= c && c < 0x7F || c == '\n' || c == '\t' {
		return 0, ""
	}
	r, size := utf8.DecodeRuneInString(text[at:])
	switch {
	case r == '\x1b' || r == 0x9B:
		return max(size, len(terminalSyntax().FindString(text[at:]))), ""
	case r == '\u2028' || r == '\u2029' || r == 0x85:
		return size, "\n"
	case unicode.IsSpace(r) || r == '\u2800':
		return size, " "
	case unicode.IsControl(r) || unicode.In(r, marks):
		return size, ""
	case lookalikes[r] != 0 && readsAsLatin(text, at):
		return size, string(lookalikes[r])
	case unicode.Is(unicode.Latin, r):
		if base, _ := utf8.DecodeRuneInString(norm.NFD.String(text[at : at+size])); base != r {
			return size, string(base)
		}
	}
	return 0, ""
}

// lookalikes maps characters that look like an ASCII letter to that letter: small
// capitals, Greek and Cyrillic letters, white letters on black, and the letters of
// flags. NFKC changes almost none of them.
var lookalikes = func() map[rune]rune {
	table := map[rune]rune{}
	for _, pair := range []struct{ from, to string }{
		{"ıøɡłđħŧȷſƒ", "iogldhtjsf"},
		{"ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz"},
		{"αβεικνορτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "abeikvoptuxABEZHIKMNOPTYX"},
		{"аьԁеһіјӏопрԛгѕсуѵԝхАВЕНІЈКМОРЅТСУХ", "abdehijlonpqrscyvwxABEHIJKMOPSTCYX"},
	} {
		to := []rune(pair.to)
		for i, r := range []rune(pair.from) {
			table[r] = to[i]
		}
	}
	for _, first := range []rune{0x1F150, 0x1F170, 0x1F1E6} { // black circles, black squares, flags
		for i := range rune(26) {
			table[first+i] = 'a' + i
		}
	}
	return table
}()

// readsAsLatin reports whether every letter of the word at an offset is ASCII or looks
// like an ASCII letter. In any other word, lookalikes are not replaced.
func readsAsLatin(text string, at int) bool {
	const reach = 64
	isOther := func(r rune) bool { return !isWord(r) && lookalikes[r] == 0 }
	before, after := text[max(0, at-reach):at], text[at:min(len(text), at+reach)]
	before = before[strings.LastIndexFunc(before, isOther)+1:]
	if end := strings.IndexFunc(after, isOther); end >= 0 {
		after = after[:end]
	}
	return strings.IndexFunc(before+after, func(r rune) bool { return r >= utf8.RuneSelf && lookalikes[r] == 0 }) < 0
}

// marks holds the general combining marks and the Cyrillic enclosing marks.
var marks = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x0300, Hi: 0x036F, Stride: 1},
	{Lo: 0x0488, Hi: 0x0489, Stride: 1}, // enclose a letter
	{Lo: 0x1AB0, Hi: 0x1AFF, Stride: 1},
	{Lo: 0x1DC0, Hi: 0x1DFF, Stride: 1},
	{Lo: 0x20D0, Hi: 0x20FF, Stride: 1},
	{Lo: 0xFE20, Hi: 0xFE2F, Stride: 1},
}}

// withoutMarkup returns the view without Markdown and HTML markup.
func (v *view) withoutMarkup() *view {
	m := markupRemover{text: v.text, lastComment: strings.LastIndex(v.text, "-->"), shown: viewBuilder{of: v}}
	m.remove(Span{0, len(v.text)})
	for i := 0; i < len(m.hidden); i++ { // remove appends to hidden
		m.shown.add(".\n", m.hidden[i])
		m.remove(m.hidden[i])
	}
	return m.shown.view()
}

// markupRemover removes the markup of a text and collects the parts that are not shown.
type markupRemover struct {
	text        string
	lastComment int // offset of the last "-->", or -1
	shown       viewBuilder
	hidden      []Span
}

// remove adds a part of the text, without its markup, to shown.
func (m *markupRemover) remove(part Span) {
	m.shown.rewrite(part, func(text string, at int) (int, string) {
		rest := text[at:part.End]
		if at == part.Start || text[at-1] == '\n' {
			if size := linePrefix(rest); size > 0 {
				return size, ""
			}
		}
		return m.markup(rest, at)
	})
}

// linePrefix returns the length of the markup at the beginning of a line: the marks of
// a quotation or heading, or the whole delimiter row of a table.
func linePrefix(text string) int {
	line, rest, _ := strings.Cut(text, "\n")
	if strings.Contains(line, "|") && strings.Contains(line, "-") && strings.Trim(line, " \t>|:-") == "" {
		return len(text) - len(rest)
	}
	return len(prefixSyntax().FindString(line))
}

// markup returns the length of the markup at an offset and the text that replaces it.
// rest is the text from that offset. The length is 0 if there is no markup.
func (m *markupRemover) markup(rest string, at int) (size int, shown string) {
	switch rest[0] {
	case '<':
		return m.tag(rest, at)
	case ']':
		address := addressSyntax().FindString(rest)
		m.hide(at+len("]("), at+len(address)-1)
		return max(1, len(address)), ""
	case '[', '`':
		return 1, ""
	case '!':
		if strings.HasPrefix(rest, "![") {
			return len("!["), ""
		}
	case '|':
		return 1, " "
	case '\\':
		if len(rest) > 1 && rest[1] < utf8.RuneSelf && unicode.In(rune(rest[1]), unicode.P, unicode.S) {
			return 2, rest[1:2]
		}
	case '{':
		if literal := templateSyntax().FindStringSubmatch(rest); literal != nil {
			return len(literal[0]), literal[1] + literal[2]
		}
	case '-', '_', '.', '/', '+', ',', ':':
		if m.joinsWords(at) {
			return 1, " "
		}
		if rest[0] == '_' {
			return m.emphasis(rest, at)
		}
	case '*', '~':
		return m.emphasis(rest, at)
	}
	return 0, ""
}

// joinsWords reports whether the sign at an offset joins the words of a sentence
// written without spaces. For - and _, three words are enough. Other signs also occur
// in addresses and names, so they need four words with only white space around them.
func (m *markupRemover) joinsWords(at int) bool {
	const reach = 100
	if at == 0 || at+1 == len(m.text) || m.text[at-1] <= ' ' || m.text[at+1] <= ' ' {
		return false
	}
	sign, least, apart := m.text[at], 3, false
	if sign != '-' && sign != '_' {
		least, apart = 4, true
	}
	isOther := func(r rune) bool { return r != rune(sign) && !isWord(r) && (apart || r != '-' && r != '_') }
	before, after := m.text[max(0, at-reach):at], m.text[at+1:min(len(m.text), at+1+reach)]
	if i := strings.LastIndexFunc(before, isOther); i >= 0 {
		if apart && before[i] > ' ' {
			return false
		}
		before = before[i+1:]
	}
	if i := strings.IndexFunc(after, isOther); i >= 0 {
		if apart && after[i] > ' ' {
			return false
		}
		after = after[:i]
	}
	words := strings.FieldsFunc(before+" "+after, func(r rune) bool { return !isWord(r) })
	alone := before != "" && after != "" && !strings.ContainsAny(before[len(before)-1:]+after[:1], string(sign)+"-_")
	return alone && len(words) >= least
}

// hide records a part of the text as hidden.
func (m *markupRemover) hide(start, end int) {
	if start < end {
		m.hidden = append(m.hidden, Span{start, end})
	}
}

// tag returns, like markup, the length and replacement of an HTML tag or comment.
func (m *markupRemover) tag(rest string, at int) (size int, shown string) {
	if strings.HasPrefix(rest, "<!--") && at < m.lastComment {
		if inner, _, closed := strings.Cut(rest, "-->"); closed {
			m.hide(at+len("<!--"), at+len(inner))
			return len(inner) + len("-->"), ""
		}
	}
	tag := tagSyntax().FindStringSubmatch(rest)
	if tag == nil {
		return 0, ""
	}
	if strings.ContainsAny(tag[0], " \t\n") {
		m.hide(at+1, at+len(tag[0])-1)
	}
	if blockElements[strings.ToLower(tag[1])] {
		shown = " "
	}
	return len(tag[0]), shown
}

// blockElements is the set of HTML elements that separate words.
var blockElements = map[string]bool{
	"address": true, "article": true, "aside": true, "blockquote": true, "br": true, "center": true, "dd": true,
	"details": true, "div": true, "dl": true, "dt": true, "fieldset": true, "figure": true, "footer": true, "form": true,
	"h1": true, "h2": true, "h3": true, "h4": true, "h5": true, "h6": true, "header": true, "hr": true, "li": true,
	"main": true, "nav": true, "ol": true, "option": true, "p": true, "pre": true, "section": true, "summary": true,
	"table": true, "td": true, "th": true, "tr": true, "ul": true,
}

// emphasis returns, like markup, the length and replacement of a run of emphasis marks.
// The replacement is the run itself if it has another meaning: a bullet, a
// multiplication sign, part of a name with underscores, a home folder.
func (m *markupRemover) emphasis(rest string, at int) (size int, shown string) {
	after := strings.TrimLeft(rest, rest[:1])
	run := rest[:len(rest)-len(after)]
	left, _ := utf8.DecodeLastRuneInString(" " + m.text[max(0, at-utf8.UTFMax):at])
	right, _ := utf8.DecodeRuneInString(after[:min(len(after), utf8.UTFMax)] + " ")
	switch {
	case run[0] == '*' && unicode.IsSpace(left) && unicode.IsSpace(right),
		run[0] == '_' && isWord(left) && isWord(right),
		run == "~":
		return len(run), run
	}
	return len(run), ""
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// collapseBlanks shortens a run of white space. The run becomes a space within a line,
// or if a sentence continues on the next line. Otherwise it becomes one or two
// newlines.
func collapseBlanks(text string, at int) (int, string) {
	end := at
	for end < len(text) && (text[end] == ' ' || text[end] == '\t' || text[end] == '\n') {
		end++
	}
	run, short := text[at:end], " "
	if lines := strings.Count(run, "\n"); lines > 1 || lines == 1 && !goesOn(text[:at], text[end:]) {
		short = "\n\n"[:min(lines, 2)]
	}
	if run == "" || run == short {
		return 0, ""
	}
	return len(run), short
}

// goesOn reports whether the text before ends in a word or a comma, and the text after
// begins with a word.
func goesOn(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return (isWord(last) || last == ',') && unicode.IsLetter(first)
}
