package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"instruction-catalog/catalog/search/ranked"
	"instruction-catalog/catalog/search/substring"
)

// Snapshot is the content of a catalog at one moment. It does not change and is safe for
// concurrent use.
type Snapshot struct {
	entries     []*Entry // in id order
	position    map[ID]int
	spelled     map[string]int
	hash        Fingerprint
	revision    func() Fingerprint
	diagnostics []Diagnostic
	index       *substring.Index
	ranking     func() ranking
	links       func() map[string][]string   // by target: paths of entries that are symbolic links
	ranked      atomic.Pointer[ranked.Index] // the latest index built, possibly by a previous snapshot; nil before the first
}

// NewSnapshot returns a snapshot of entries. If several entries have the same id, it
// serves the one whose path is first in byte order, or, in a bundle, the one whose line
// is first. It adds an error to the diagnostics for each of the others.
func NewSnapshot(entries []*Entry, diagnostics []Diagnostic) *Snapshot {
	return (*Snapshot)(nil).Next(entries, diagnostics)
}

// Next is like [NewSnapshot], for the snapshot that follows s. It reuses what s has
// computed for unchanged entries and does not keep s itself in memory.
func (s *Snapshot) Next(entries []*Entry, diagnostics []Diagnostic) *Snapshot {
	served, refused := unique(s.inOrder(entries))
	next := &Snapshot{
		entries:     served,
		spelled:     map[string]int{},
		hash:        aggregate(served, func(e *Entry) Fingerprint { return e.SourceHash }),
		revision:    sync.OnceValue(func() Fingerprint { return aggregate(served, (*Entry).Hash) }),
		diagnostics: slices.Concat(diagnostics, refused),
		links:       sync.OnceValue(func() map[string][]string { return linksOf(served) }),
	}
	if s != nil && slices.EqualFunc(served, s.entries, func(a, b *Entry) bool { return a.ID == b.ID }) {
		next.position = s.position
	} else {
		next.position = positions(served)
	}
	for i, e := range served {
		if spelled := e.Origin.SpelledID; spelled != "" && spelled != string(e.ID) {
			next.spelled[spelled] = i
		}
	}
	slices.SortStableFunc(next.diagnostics, func(a, b Diagnostic) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line))
	})
	next.indexAfter(s)
	return next
}

// linksOf returns, for each file that entries link to, the sorted paths of those entries.
func linksOf(entries []*Entry) map[string][]string {
	links := map[string][]string{}
	for _, e := range entries {
		if target := e.Origin.Target; target != "" {
			links[target] = append(links[target], e.Origin.Path)
		}
	}
	for _, paths := range links {
		slices.Sort(paths)
	}
	return links
}

func positions(entries []*Entry) map[ID]int {
	at := make(map[ID]int, len(entries))
	for i, e := range entries {
		at[e.ID] = i
	}
	return at
}

// inOrder returns the entries in id order. It reuses the order of s and sorts only
// entries whose ids are new, which are usually few.
func (s *Snapshot) inOrder(entries []*Entry) []*Entry {
	if s == nil {
		return slices.SortedFunc(slices.Values(entries), compareEntries)
	}
	known := make([]*Entry, len(s.entries))
	var others []*Entry
	for _, e := range entries {
		if i, ok := s.position[e.ID]; ok && known[i] == nil {
			known[i] = e
		} else {
			others = append(others, e)
		}
	}
	slices.SortFunc(others, compareEntries)
	sorted := make([]*Entry, 0, len(entries))
	for _, e := range known {
		if e == nil {
			continue
		}
		for len(others) > 0 && compareEntries(others[0], e) < 0 {
			sorted, others = append(sorted, others[0]), others[1:]
		}
		sorted = append(sorted, e)
	}
	return append(sorted, others...)
}

// unique returns the first entry for each id, and a diagnostic for each other entry.
// The entries must be in the order of compareEntries. It overwrites sorted.
func unique(sorted []*Entry) ([]*Entry, []Diagnostic) {
	var refused []Diagnostic
	served := sorted[:0]
	for _, e := range sorted {
		if n := len(served); n > 0 && served[n-1].ID == e.ID {
			refused = append(refused, duplicate(e, served[n-1]))
			continue
		}
		served = append(served, e)
	}
	return served, refused
}

func compareEntries(a, b *Entry) int {
	if byID := cmp.Compare(a.ID, b.ID); byID != 0 {
		return byID
	}
	return cmp.Or(cmp.Compare(a.Origin.Path, b.Origin.Path), cmp.Compare(a.Origin.Line, b.Origin.Line))
}

func duplicate(e, first *Entry) Diagnostic {
	return Diagnostic{
		Path:     e.Origin.Path,
		Line:     e.Origin.Line,
		Severity: SeverityError,
		Message: fmt.Sprintf("id %q is already taken by %s, which is served instead; give this entry an id of its own",
			e.ID, first.Origin),
		Rule:  RuleIDTaken,
		Other: first.Origin.Path,
	}
}

// Hash returns the catalog hash: the SHA-256 of the id:sourceHash pairs of all entries,
// sorted by id in byte order and joined with '|'.
func (s *Snapshot) Hash() Fingerprint { return s.hash }

// Revision returns the hash of all that is served: the SHA-256 of the id:entryHash
// pairs of all entries, sorted by id in byte order and joined with '|'. Each entryHash
// is the result of [Entry.Hash]. If two revisions are the same, every governed field of
// every entry is the same. The first call computes the revision.
func (s *Snapshot) Revision() Fingerprint { return s.revision() }

// Entries returns all entries in id order. The slice must not be changed.
func (s *Snapshot) Entries() []*Entry { return s.entries }

// Diagnostics returns the diagnostics of all files, ordered by path and line. The
// slice must not be changed.
func (s *Snapshot) Diagnostics() []Diagnostic { return s.diagnostics }

// Links returns the sorted paths of the entries whose files are symbolic links to the file
// of e.
func (s *Snapshot) Links(e *Entry) []string { return s.links()[e.Origin.Path] }

// Kept returns the diagnostics of broken files whose previous entries are still served.
func (s *Snapshot) Kept() []Diagnostic {
	var kept []Diagnostic
	for _, d := range s.diagnostics {
		if d.Kept {
			kept = append(kept, d)
		}
	}
	return kept
}

// Get returns the entry with the given id. It also accepts the id as spelled in the
// entry's file. It reports whether there is such an entry.
func (s *Snapshot) Get(id string) (*Entry, bool) {
	if i, ok := s.position[ID(id)]; ok {
		return s.entries[i], true
	}
	if i, ok := s.spelled[id]; ok {
		return s.entries[i], true
	}
	return nil, false
}
