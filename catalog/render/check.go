package render

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
)

// Check returns warnings about entries that an agent would load twice or cut off. The
// files must be sorted by path. exists reports whether a file exists in the repository.
// It must be safe for concurrent use.
func Check(files []File, exists func(path string) bool) []Warning {
	is := func(p string) bool {
		_, due := slices.BinarySearchFunc(files, p, func(f File, p string) int { return strings.Compare(f.Path, p) })
		return due || exists(p)
	}
	all := agents.All()
	byAgent := make([][]Warning, len(all))
	var checks sync.WaitGroup
	for i, a := range all {
		checks.Go(func() { byAgent[i] = checkAgent(a, files, is) })
	}
	checks.Wait()
	return slices.Concat(byAgent...)
}

func checkAgent(a *agents.Agent, files []File, exists func(string) bool) (found []Warning) {
	if w, twice := overlap(a, files, exists); twice {
		found = append(found, w)
	}
	for _, l := range a.Limits {
		found = append(found, tooLong(a, l, files)...)
	}
	return found
}

// overlap returns a warning if an agent reads an entry from the files of two targets.
func overlap(a *agents.Agent, files []File, exists func(string) bool) (w Warning, twice bool) {
	first := map[catalog.ID]string{} // the first target found for an entry
	count, pair := map[catalog.ID]bool{}, [2]string{}
	for _, f := range files {
		if !a.Reads(f.Path, exists) {
			continue
		}
		for _, e := range f.Entries {
			before, ok := first[e.ID]
			if !ok {
				first[e.ID] = f.Target
			} else if before != f.Target {
				count[e.ID], pair = true, [2]string{before, f.Target}
			}
		}
	}
	if len(count) == 0 {
		return Warning{}, false
	}
	order := func(target string) int {
		return slices.IndexFunc(agents.Targets(), func(t *agents.Target) bool { return t.Name == target })
	}
	if order(pair[0]) > order(pair[1]) {
		pair[0], pair[1] = pair[1], pair[0]
	}
	drop := pair[1]
	if a.Target != nil && (a.Target.Name == pair[0] || a.Target.Name == pair[1]) {
		drop = a.Target.Name
	}
	noun := "entries"
	if len(count) == 1 {
		noun = "entry"
	}
	return Warning{Target: drop, Message: fmt.Sprintf("%s loads %d %s twice, from the files of the targets %s and %s: drop the target %s if no other agent needs it",
		a.Title, len(count), noun, pair[0], pair[1], drop)}, true
}

// tooLong returns a warning for each entry that ends beyond a limit.
func tooLong(a *agents.Agent, l agents.Limit, files []File) (found []Warning) {
	files = slices.DeleteFunc(slices.Clone(files), func(f File) bool { return !l.Covers(f.Path) })
	size := func(text []byte) int { return len(text) }
	unit := "bytes"
	if !l.Bytes {
		size, unit = utf8.RuneCount, "characters"
	}
	inFolder := map[string]int{} // the total size of the files in each folder
	for _, f := range files {
		inFolder[path.Dir(f.Path)] += size(f.Content)
	}
	for _, f := range files {
		if len(f.Sections) == 0 {
			continue
		}
		sum, at := 0, f.Sections[0].Start
		if l.Together {
			sum, at = sizeAbove(f.Path, inFolder), 0
		}
		for _, s := range f.Sections {
			sum, at = sum+size(f.Content[at:s.End]), s.End
			if sum > l.Max {
				found = append(found, Warning{s.ID, f.Target, f.Path, "body", fmt.Sprintf("it ends beyond the first %d %s, and %s reads no more: %s", l.Max, unit, a.Title, l.Cut)})
			}
		}
	}
	return found
}

// sizeAbove returns the total size of the files in the folders above the folder of p.
func sizeAbove(p string, inFolder map[string]int) (sum int) {
	for folder := path.Dir(p); folder != "."; {
		folder = path.Dir(folder)
		sum += inFolder[folder]
	}
	return sum
}
