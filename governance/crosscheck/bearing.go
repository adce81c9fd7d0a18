package crosscheck

import (
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog"
)

// bearing describes what an entry applies to.
type bearing struct {
	*catalog.Entry
	reach
	globs    []string // with braces expanded; empty for all files
	contexts []string // contexts named in its title or file path
}

func bearingOf(e *catalog.Entry) *bearing {
	b := &bearing{Entry: e, reach: reachOf(e)}
	if e.Load == catalog.LoadGlob && e.Origin.Scope != nil {
		for _, g := range e.Origin.Scope.Globs {
			b.globs = append(b.globs, withoutBraces(g)...)
		}
	}
	if b.name != rootName {
		b.contexts = contextsIn(e.Title + " " + strings.TrimSuffix(e.Origin.Path, path.Ext(e.Origin.Path)))
	}
	return b
}

// overlaps reports whether two entries share readers, subjects and files, and neither
// replaces the other. A file in a deeper folder overrides those above it. Skills,
// commands and personas are loaded on their own, so they overlap with nothing unless
// both entries are written for the catalog.
func (b *bearing) overlaps(other *bearing) bool {
	readers := b.Audience == other.Audience || b.Audience == catalog.Everybody || other.Audience == catalog.Everybody
	subjects := len(b.Categories) == 0 || len(other.Categories) == 0 ||
		slices.ContainsFunc(b.Categories, func(c string) bool { return slices.Contains(other.Categories, c) })
	if !readers || !subjects || succeeds(b.Entry, other.Entry) {
		return false
	}
	governed := b.agent == ofCatalog && other.agent == ofCatalog
	return (governed || b.placed && other.placed && !b.alone && !other.alone && b.home == other.home) && canMeet(b.globs, other.globs)
}

// canMeet reports whether a path may match a glob of each list. It compares only the
// literal prefixes and suffixes of the globs. An empty list matches every path.
func canMeet(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return true
	}
	return slices.ContainsFunc(a, func(one string) bool {
		return slices.ContainsFunc(b, func(other string) bool { return fitTogether(one, other) })
	})
}

func fitTogether(a, b string) bool {
	begin, end := ends(a)
	otherBegin, otherEnd := ends(b)
	return (strings.HasPrefix(begin, otherBegin) || strings.HasPrefix(otherBegin, begin)) &&
		(strings.HasSuffix(end, otherEnd) || strings.HasSuffix(otherEnd, end))
}

// ends returns the literal prefix and suffix that all paths matching a glob have.
func ends(glob string) (begin, end string) {
	const wild = "*?[]{}"
	at := strings.IndexAny(glob, wild)
	if at < 0 {
		return glob, glob
	}
	return glob[:at], glob[strings.LastIndexAny(glob, wild)+1:]
}

// maxGlobs is the number of globs at which the expansion of braces stops.
const maxGlobs = 50

// withoutBraces expands a glob with braces into globs without braces.
func withoutBraces(glob string) []string {
	all := []string{glob}
	for i := 0; i < len(all) && len(all) < maxGlobs; {
		open := strings.LastIndexByte(all[i], '{')
		if open < 0 {
			i++
			continue
		}
		closing := strings.IndexByte(all[i][open:], '}')
		if closing < 0 {
			i++
			continue
		}
		before, after := all[i][:open], all[i][open+closing+1:]
		var parts []string
		for part := range strings.SplitSeq(all[i][open+1:open+closing], ",") {
			parts = append(parts, before+part+after)
		}
		all = slices.Replace(all, i, i+1, parts...)
	}
	return all
}
