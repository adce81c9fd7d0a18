// Package glob takes lists of globs apart and matches them with paths, as agents'
// rules say which files of a repository they are for: with ** for any folders,
// braces and sets. It touches no file.
package glob

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Split takes a text apart at the commas that stand outside of braces and
// brackets. A list in brackets, as in YAML, gives its items.
func Split(s string) []string {
	s = strings.TrimSpace(s)
	inList := strings.HasPrefix(s, "[") && strings.HasSuffix(s, "]") && strings.ContainsAny(s, `"'*/,`)
	if inList {
		s = s[1 : len(s)-1]
	}
	var globs []string
	for {
		end := endOfGlob(s)
		g := strings.TrimSpace(s[:end])
		if inList {
			g = strings.Trim(g, `"'`)
		}
		if g != "" {
			globs = append(globs, g)
		}
		if end == len(s) {
			return globs
		}
		s = s[end+1:]
	}
}

// endOfGlob returns where the first glob of a text ends: at a comma outside of
// braces and brackets, or at the end.
func endOfGlob(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			i += 1 + strings.IndexByte(s[i+1:], ']') // one that is not closed is a character
		case '{':
			depth++
		case '}':
			depth = max(depth-1, 0)
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
	return len(s)
}

// MaxAlternatives is how many globs without braces one with braces may stand
// for: matching takes as much time in the worst case.
const MaxAlternatives = 1000

// alternatives returns for how many globs without braces one stands, or more.
func alternatives(g string) int {
	if strings.ContainsAny(g, `\[`) {
		return mostAlternatives(g)
	}
	n, open := 1, []int{}
	for _, c := range g {
		switch {
		case c == '{':
			open = append(open, 1)
		case len(open) == 0:
		case c == ',':
			open[len(open)-1]++
		case c == '}':
			n = min(n*open[len(open)-1], MaxAlternatives+1)
			open = open[:len(open)-1]
		}
	}
	return n
}

// mostAlternatives returns for how many globs one may stand, whichever of its braces and
// commas a backslash or a set takes the meaning from.
func mostAlternatives(g string) int {
	braces, commas := strings.Count(g, "{"), strings.Count(g, ",")
	n := 1
	for range braces {
		n = min(n*(commas/braces+2), MaxAlternatives+1)
	}
	return n
}

// Valid reports whether a glob can match anything: whether it is well-formed, and
// stands for at most [MaxAlternatives].
func Valid(g string) bool {
	return alternatives(g) <= MaxAlternatives && doublestar.ValidatePattern(strings.TrimPrefix(g, "!"))
}

// Match reports whether one of the globs matches a path, with slashes, and none
// that begins with "!" takes it away again. A glob that is not [Valid] matches
// nothing.
func Match(globs []string, p string) bool {
	matched := false
	for _, g := range globs {
		g, not := strings.CutPrefix(g, "!")
		switch {
		case !Valid(g) || !doublestar.MatchUnvalidated(g, p):
		case not:
			return false
		default:
			matched = true
		}
	}
	return matched
}

// Matcher returns a function that reports whether a glob matches a path. It costs less
// than [Match] if there are many paths.
func Matcher(g string) func(p string) bool {
	if !Valid(g) {
		return func(string) bool { return false }
	}
	begin, end := Affixes(g)
	return func(p string) bool {
		return strings.HasPrefix(p, begin) && strings.HasSuffix(p, end) && doublestar.MatchUnvalidated(g, p)
	}
}

// Affixes returns what each path that a glob matches begins and ends with. To compare that
// first takes much less time than to match.
func Affixes(g string) (begin, end string) {
	at := strings.IndexAny(g, wild)
	if at < 0 {
		return g, g
	}
	// ** stands for no folder, too
	return strings.TrimSuffix(g[:at], "/"), strings.TrimPrefix(g[strings.LastIndexAny(g, wild)+1:], "/")
}

// wild are the characters that do not stand for themselves in a glob.
const wild = `*?[]{}\`
