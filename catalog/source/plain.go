package source

import (
	"slices"
	"strings"
	"unicode/utf8"

	"instruction-catalog/schemas/jsonscan"
)

// parsePlain takes front matter apart that is written as nearly all is, and
// reports false of any other: a YAML library needs as long for it as all else
// does for a Markdown file. What it reads it reads as the library does (YAML
// 1.2.2); where only that knows what a line means, it leaves all of them to it.
//
//	name: a text, or a number
//	name: "a text" # or 'a text', without escapes; no comment
//	name: [text, "text"]
//	name:
//	  - text
//	# a comment on a line of its own
func (d *document) parsePlain(front string) bool {
	fields := d.fields
	lines := strings.Split(front, "\n")
	for i := 0; i < len(lines); i++ {
		text := strings.TrimSuffix(lines[i], "\r")
		switch {
		case !plainCharacters(text):
			return false
		case text == "" || text[0] == '#':
			continue
		}
		name, written, ok := cutName(text)
		if !ok || name == "body" {
			return false
		}
		f := field{name: name, line: frontLine + i}
		if written == "" {
			var items []string
			items, ok = plainItems(lines[i+1:])
			if i += len(items); len(items) > 0 {
				f.value = listOf(items)
			}
		} else {
			f.value, ok = plainValue(written)
		}
		if !ok {
			return false
		}
		fields = append(fields, f)
	}
	d.fields = fields
	return true
}

// plainCharacters reports whether a text has no control characters, and no others
// that YAML refuses or takes for the end of a line.
func plainCharacters(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r < ' ' || r >= 0x7F && r < 0xA0 || strings.ContainsRune("\u2028\u2029\uFEFF\uFFFE\uFFFF", r)
	})
}

// cutName cuts a line behind the name that it begins with.
func cutName(line string) (name, value string, ok bool) {
	const maxName = 100 // of a name that YAML tells from a text by looking ahead, much more
	name, value, ok = strings.Cut(line, ":")
	if !ok || name == "" || len(name) > maxName || !isLetter(name[0]) || strings.Trim(name, nameCharacters) != "" {
		return "", "", false
	}
	if value != "" && value[0] != ' ' && value[0] != '\t' {
		return "", "", false
	}
	return name, strings.Trim(value, " \t"), true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// plainItems reads the list that lines begin with, each item on a line.
func plainItems(lines []string) (items []string, ok bool) {
	var bullet string
	for i, line := range lines {
		text := strings.TrimSuffix(line, "\r")
		if i == 0 {
			bullet = strings.Repeat(" ", len(text)-len(strings.TrimLeft(text, " "))) + "- "
		}
		if !strings.HasPrefix(text, bullet) {
			break
		}
		item, ok := plainText(strings.Trim(text[len(bullet):], " "))
		if !ok || !plainCharacters(text) {
			return nil, false
		}
		items = append(items, item)
	}
	return items, true
}

// plainValue reads what stands behind a name.
func plainValue(written string) (value, bool) {
	switch {
	case written[0] == '[':
		return plainList(written)
	case isDigit(written[0]):
		return plainNumber(written)
	}
	content, ok := plainText(written)
	return value{kind: text, text: content, quoted: strings.ContainsAny(written[:1], `"'`)}, ok
}

// plainList reads a list in brackets.
func plainList(written string) (value, bool) {
	inner, ok := strings.CutSuffix(written[1:], "]")
	inner = strings.Trim(inner, " ")
	switch {
	case !ok || strings.ContainsAny(inner, "[]{}:#"):
		return value{}, false
	case inner == "":
		return listOf(nil), true
	}
	items := strings.Split(inner, ",")
	for i, item := range items {
		if items[i], ok = plainText(strings.Trim(item, " ")); !ok {
			return value{}, false
		}
	}
	return listOf(items), true
}

// listOf makes a list of texts.
func listOf(items []string) value {
	return value{kind: list, text: string(jsonscan.MustEncode(append([]string{}, items...)))}
}

// plainText reads a text with or without quotes.
func plainText(written string) (string, bool) {
	if written == "" {
		return "", false
	}
	if quote := written[:1]; quote == `"` || quote == `'` {
		inner, ok := strings.CutSuffix(written[1:], quote)
		return inner, ok && !strings.ContainsAny(inner, quote+`\`)
	}
	return written, (isLetter(written[0]) || written[0] >= utf8.RuneSelf) && !mayMeanMore(written)
}

// ambiguous are the texts that stand for something else than themselves, in one
// of the versions of YAML and in lower case.
var ambiguous = []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"}

// mayMeanMore reports whether a text without quotes might be something else.
func mayMeanMore(written string) bool {
	return slices.Contains(ambiguous, strings.ToLower(written)) ||
		strings.HasSuffix(written, ":") || strings.Contains(written, ": ") || strings.Contains(written, " #")
}

// plainNumber reads what begins with a digit: an integer, or a date, which is a
// text, alone or with a time behind a T.
func plainNumber(written string) (value, bool) {
	const digits, maxDigits, date = "0123456789", 9, len("2006-01-02")
	if strings.Trim(written, digits) == "" {
		return value{kind: number, text: written}, len(written) <= maxDigits && (written[0] != '0' || written == "0")
	}
	ok := len(written) >= date && isDate(written[:date])
	if ok && len(written) > date {
		last := written[len(written)-1]
		ok = written[date] == 'T' && (isDigit(last) || last == 'Z') && strings.Trim(written[date+1:], digits+":.+-Z") == ""
	}
	return value{kind: text, text: written}, ok
}

// isDate reports whether a text has the form of a date.
func isDate(s string) bool {
	for i, c := range []byte("2006-01-02") {
		if isDigit(c) != isDigit(s[i]) || !isDigit(c) && s[i] != c {
			return false
		}
	}
	return true
}
