package verify

import (
	"iter"
	"math"
	"regexp"
	"slices"
	"strings"

	"instruction-catalog/governance/report"
)

// suppression is a comment <!-- catalog:ignore RULE[,RULE] reason --> in a text.
type suppression struct {
	line     int      // line of the comment, from 1
	rules    []string // ids, or prefixes that end in "/"
	reason   string   // "" if the comment has none
	from, to int      // the lines that the comment applies to, both included
}

// isForAll reports whether the comment applies to the whole file.
func (s suppression) isForAll() bool { return s.to == math.MaxInt }

// silences reports whether the comment suppresses findings of a rule at a line, or at the
// file as a whole if line is 0.
func (s suppression) silences(rule report.Rule, line int) bool {
	return s.reason != "" && (s.isForAll() || s.from <= line && line <= s.to) &&
		slices.ContainsFunc(s.rules, func(key string) bool { return Covers(key, rule) })
}

// Covers reports whether key is the id of a rule, or a prefix of it that ends in a slash.
func Covers(key string, rule report.Rule) bool {
	return key == string(rule) || strings.HasSuffix(key, "/") && strings.HasPrefix(string(rule), key)
}

var comment = regexp.MustCompile(`^ {0,3}<!--\s*catalog:ignore(?:\s+(.*?))?\s*-->\s*$`)

// suppressions returns the suppressions in a Markdown text without front matter. A comment
// before any other text applies to the whole text. Any other comment applies to the next
// block.
func suppressions(text string) []suppression {
	if !strings.Contains(text, "catalog:ignore") {
		return nil
	}
	var all []suppression
	waiting := 0 // index of the first suppression that has no block yet
	head := true
	for b := range blocks(text) {
		if m := comment.FindStringSubmatch(b.text); m != nil && b.from == b.to {
			rules, reason, _ := strings.Cut(m[1], " ")
			all = append(all, suppression{
				line: b.from, rules: strings.Split(rules, ","), reason: strings.TrimSpace(reason), from: b.from, to: math.MaxInt,
			})
			continue
		}
		for i := range all[waiting:] {
			if s := &all[waiting+i]; !head {
				s.from, s.to = b.from, b.to
			}
		}
		waiting, head = len(all), false
	}
	for i := range all[waiting:] {
		if s := &all[waiting+i]; !head { // no block follows the comment
			s.from, s.to = s.line, s.line
		}
	}
	return all
}

// block is a group of lines: a paragraph, a list, a table, a heading, a code block, or a
// catalog:ignore comment.
type block struct {
	from, to int    // lines, from 1, both included
	text     string // the first line
}

var (
	item    = regexp.MustCompile(`^\s{0,3}([-*+]|\d{1,9}[.)])(\s|$)`)
	heading = regexp.MustCompile(`^ {0,3}#{1,6}(\s|$)`)
	fence   = regexp.MustCompile("^ {0,3}(`{3,}|~{3,})")
)

// blocks yields the blocks of a text.
func blocks(text string) iter.Seq[block] {
	return func(yield func(block) bool) {
		lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
		for i := 0; i < len(lines); {
			if isBlank(lines[i]) {
				i++
				continue
			}
			end := i + lengthOfBlock(lines[i:])
			if !yield(block{i + 1, end, lines[i]}) {
				return
			}
			i = end
		}
	}
}

func isBlank(line string) bool { return strings.TrimSpace(line) == "" }

// lengthOfBlock returns the number of lines of the block at the start of lines. The first
// line must not be blank.
func lengthOfBlock(lines []string) int {
	first := lines[0]
	switch {
	case comment.MatchString(first), heading.MatchString(first):
		return 1
	case fence.MatchString(first):
		return lengthOfFence(lines)
	case item.MatchString(first):
		return lengthOfList(lines)
	}
	n := slices.IndexFunc(lines, func(line string) bool {
		return isBlank(line) || heading.MatchString(line) || fence.MatchString(line) || comment.MatchString(line)
	})
	if n < 0 {
		return len(lines)
	}
	return n
}

func lengthOfFence(lines []string) int {
	mark := fence.FindStringSubmatch(lines[0])[1]
	for i, line := range lines[1:] {
		if end := strings.TrimSpace(line); strings.HasPrefix(end, mark) && strings.Trim(end, mark[:1]) == "" {
			return i + 2
		}
	}
	return len(lines)
}

// lengthOfList returns the number of lines of a list: its items, the lines indented below
// them, and the blank lines between.
func lengthOfList(lines []string) int {
	end := 1
	for i, line := range lines {
		switch {
		case isBlank(line):
		case i > end && !item.MatchString(line) && !strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "\t"),
			heading.MatchString(line), comment.MatchString(line):
			return end
		default:
			end = i + 1
		}
	}
	return end
}
