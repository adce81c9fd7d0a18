package main

import (
	"os"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"
)

// screen is a stream as a person may look at it. The zero value is that of a
// stream which is no terminal: its lines are whole, and plain.
type screen struct {
	width  int // columns
	colour bool
}

// screenOf returns the screen of a stream. NO_COLOR (https://no-color.org) and a
// dumb terminal have no colours.
func screenOf(stream any, env func(string) string) screen {
	f, ok := stream.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return screen{}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil || width < 1 {
		width = 80
	}
	return screen{width, env("NO_COLOR") == "" && env("TERM") != "dumb"}
}

func (s screen) isTerminal() bool { return s.width > 0 }

// style is how a text stands out: the parameters of the control sequence SGR
// (ECMA-48, 8.3.117).
type style string

const (
	bold    style = "1"
	faint   style = "2"
	red     style = "31"
	green   style = "32"
	yellow  style = "33"
	matched style = "1;31"
)

// paint shows a text in a style, where there are colours. An empty text or style changes nothing.
func (s screen) paint(text string, how style) string {
	if !s.colour || text == "" || how == "" {
		return text
	}
	return "\x1b[" + string(how) + "m" + text + "\x1b[0m"
}

// paintSeverity shows in colours how bad something is, in the words of reports,
// reviews and gates.
func (s screen) paintSeverity(word string) string {
	switch word {
	case "error", "critical", "high":
		return s.paint(word, red)
	case "warning", "warn", "medium":
		return s.paint(word, yellow)
	}
	return s.paint(word, faint)
}

// emphasise shows a message on one line, with the match that it quotes standing out.
func (s screen) emphasise(message, match string) string {
	message, quoted := oneLine(message), oneLine(strconv.Quote(match))
	before, after, found := strings.Cut(message, quoted)
	if !found || match == "" {
		return message
	}
	return before + s.paint(quoted, matched) + after
}

// wrap returns a text on lines that fit the screen, which are broken at blanks and
// all begin with the margin. A word that is too long stays whole.
func (s screen) wrap(text, margin string) string {
	line, lines := margin, ""
	for i, word := range strings.Fields(text) {
		if i > 0 && s.isTerminal() && uniseg.StringWidth(line+" "+word) > s.width {
			lines, line = lines+line+"\n", margin
		} else if i > 0 {
			line += " "
		}
		line += word
	}
	return lines + line
}

// cut returns a text of at most so many columns, which ends in an ellipsis where
// it is not whole.
func cut(text string, columns int) string {
	if uniseg.StringWidth(text) <= columns {
		return text
	}
	var short strings.Builder
	left := columns - 1 // for the ellipsis
	for g := uniseg.NewGraphemes(text); g.Next() && g.Width() <= left; {
		short.WriteString(g.Str())
		left -= g.Width()
	}
	return short.String() + "…"
}
