// Package glob splits lists of globs and matches globs with paths. It supports the
// globs of agents' rules, which select files of a repository: ** for any number of
// folders, braces and character classes. It does not access files.
package glob

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Split splits a text at the commas outside of braces and brackets, and omits empty
// globs. If the text is a list in brackets, as in YAML, Split returns its items without
// quotes.
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

// endOfGlob returns the offset at which the first glob of a text ends: at a comma
// outside of braces and brackets, or at the end.
func endOfGlob(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			i += 1 + strings.IndexByte(s[i+1:], ']') // an unclosed bracket is an ordinary character
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

// MaxAlternatives is the maximum number of globs without braces that a glob with braces
// may expand to. In the worst case, matching takes time in proportion to that number.
const MaxAlternatives = 1000

// alternatives returns the number of globs without braces that g expands to, or an
// upper bound. It stops counting after MaxAlternatives.
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

// mostAlternatives returns an upper bound for the number of globs that g expands to,
// regardless of which of its braces and commas are escaped or in a character class.
func mostAlternatives(g string) int {
	braces, commas := strings.Count(g, "{"), strings.Count(g, ",")
	n := 1
	for range braces {
		n = min(n*(commas/braces+2), MaxAlternatives+1)
	}
	return n
}

// Valid reports whether a glob is well-formed and expands to at most [MaxAlternatives]
// globs. It ignores a leading "!".
func Valid(g string) bool {
	return alternatives(g) <= MaxAlternatives && doublestar.ValidatePattern(strings.TrimPrefix(g, "!"))
}

// Match reports whether one of the globs matches the path p, which has slashes, and no
// glob that begins with "!" excludes it. A glob that is not [Valid] matches nothing.
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

// Matcher returns a function that reports whether a glob matches a path. It is faster
// than [Match] for many paths. A glob that is not [Valid] matches nothing.
func Matcher(g string) func(p string) bool {
	if !Valid(g) {
		return func(string) bool { return false }
	}
	begin, end := Affixes(g)
	return func(p string) bool {
		return strings.HasPrefix(p, begin) && strings.HasSuffix(p, end) && doublestar.MatchUnvalidated(g, p)
	}
}

// Affixes returns literal text that every path matching g begins and ends with.
// Comparing it first is much faster than matching.
func Affixes(g string) (begin, end string) {
	at := strings.IndexAny(g, wild)
	if at < 0 {
		return g, g
	}
	// Trim the slashes, because ** also matches zero folders.
	return strings.TrimSuffix(g[:at], "/"), strings.TrimPrefix(g[strings.LastIndexAny(g, wild)+1:], "/")
}

// wild lists the characters that have a special meaning in a glob.
const wild = `*?[]{}\`
