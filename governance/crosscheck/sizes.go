package crosscheck

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/governance/report"
)

// codexSizes reports AGENTS.md files that Codex truncates because the files from the
// top down to their folder exceed the bytes it reads. Several that share the nearest
// AGENTS.md above them are reported once. A file is not reported if the files above it
// alone exceed the limit. t may be nil.
func codexSizes(texts []entryText, t *tree, view View) (found []report.Finding) {
	read := readByCodex(texts)
	chains := map[string][]chain{} // by the folder of the AGENTS.md to shorten
	for folder, e := range read {
		c := chainOf(folder, read, t)
		if c.above > agents.CodexBytes || c.above+len(e.body) <= agents.CodexBytes {
			continue
		}
		if len(e.body) > agents.CodexBytes {
			c.parent = folder
		}
		chains[c.parent] = append(chains[c.parent], c)
	}
	for at, all := range chains {
		slices.SortFunc(all, func(a, b chain) int { return strings.Compare(string(a.ID), string(b.ID)) })
		if len(all) == 1 {
			found = append(found, all[0].tooLarge(view))
		} else {
			found = append(found, tooLargeBelow(read[at], all, view))
		}
	}
	slices.SortFunc(found, func(a, b report.Finding) int { return strings.Compare(string(a.Entry), string(b.Entry)) })
	return found
}

// readByCodex returns the file that Codex reads in each folder.
func readByCodex(texts []entryText) map[string]entryText {
	read := map[string]entryText{}
	for _, e := range texts {
		base, folder := path.Base(e.Origin.Path), path.Dir(e.Origin.Path)
		isOverride := base == "AGENTS.override.md"
		if e.Origin.Line > 0 || base != "AGENTS.md" && !isOverride || strings.Contains("/"+folder, "/.") && folder != "." {
			continue
		}
		if _, overridden := read[folder]; isOverride || !overridden {
			read[folder] = e
		}
	}
	return read
}

// chain is an AGENTS.md with the total size of those above it.
type chain struct {
	entryText
	above  int
	parent string // the folder of the nearest AGENTS.md above; its own folder if there is none
}

// chainOf returns the chain from the top to a folder. It counts a link and its target
// once.
func chainOf(folder string, read map[string]entryText, t *tree) chain {
	c := chain{entryText: read[folder]}
	counted := map[string]bool{t.fileOf(c.Entry): true}
	for at := folder; at != "."; {
		at = path.Dir(at)
		above, ok := read[at]
		if !ok || counted[t.fileOf(above.Entry)] {
			continue
		}
		counted[t.fileOf(above.Entry)] = true
		c.above += len(above.body)
		c.parent = cmp.Or(c.parent, at)
	}
	c.parent = cmp.Or(c.parent, folder)
	return c
}

func (c chain) tooLarge(view View) report.Finding {
	f := finding(CodexSize, c.Entry, view.Place(c.Entry, 0))
	f.Message = fmt.Sprintf("it has %d bytes: Codex reads %d of all AGENTS.md from the top down, and cuts off the rest; split it up", len(c.body), agents.CodexBytes)
	if c.above > 0 {
		f.Message = fmt.Sprintf("it has %d bytes, and the AGENTS.md above it %d: Codex reads %d of both, and cuts off the rest; split it up", len(c.body), c.above, agents.CodexBytes)
	}
	f.Match = c.Origin.Path
	return f
}

// tooLargeBelow returns the finding for an AGENTS.md with several truncated ones below
// it. Shortening it fixes all of them.
func tooLargeBelow(e entryText, all []chain, view View) report.Finding {
	f := finding(CodexSize, e.Entry, view.Place(e.Entry, 0))
	var folders []string
	for _, c := range all {
		folders = append(folders, path.Dir(c.Origin.Path))
		f.Related = append(f.Related, view.Place(c.Entry, 0))
	}
	f.Message = fmt.Sprintf("with it and the AGENTS.md above it, Codex cuts off the AGENTS.md of %s, as it reads %d bytes of all from the top down; shorten it or split them up",
		strings.Join(folders, ", "), agents.CodexBytes)
	f.Match = e.Origin.Path
	return f
}
