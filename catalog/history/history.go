package history

import (
	"cmp"
	"log/slog"
	"slices"
	"sync"

	"instruction-catalog/catalog"
)

// Of older revisions than these, nothing is known.
const (
	maxRevisions = 1000
	maxChanges   = 50_000 // of entries, in all revisions together
)

// State tells one state of a catalog from another.
type State struct {
	Hash     catalog.Fingerprint `json:"hash"`
	Revision catalog.Fingerprint `json:"revision"`
}

// StateOf returns the state that a snapshot is of.
func StateOf(s *catalog.Snapshot) State { return State{s.Hash(), s.Revision()} }

// step is a revision, and how to get from it to the one before.
type step struct {
	State
	Before []was `json:"before,omitempty"`
}

// was is what an entry was in the revision before: its hash, "" for one that was
// not there.
type was struct {
	ID   catalog.ID          `json:"id"`
	Hash catalog.Fingerprint `json:"was,omitempty"`
}

// History is the revisions that a catalog has had, up to the current one. It is
// safe for concurrent use.
type History struct {
	loaded func() *catalog.Snapshot // the current snapshot; nil if not loaded

	mu      sync.Mutex
	first   *catalog.Snapshot // that was noted and is not among the steps yet
	steps   []step            // oldest first
	changes int               // in all of them
	current *catalog.Snapshot

	file    *file // nil where it is kept in memory
	log     *slog.Logger
	read    bool  // whether the file has been
	unsaved int   // steps that it has not
	damaged bool  // it was
	failure error // why it cannot be used; nil where it can
}

// New returns a history that is kept in memory. Loaded returns the snapshot that is
// current at any moment, nil for none.
func New(loaded func() *catalog.Snapshot) *History { return &History{loaded: loaded} }

// Open returns a history that is kept in a file, which several processes may share
// and which need not exist yet. It is read when its content is first
// needed, and written by [History.Save]. What is wrong with it goes to log.
func Open(path string, loaded func() *catalog.Snapshot, log *slog.Logger) *History {
	return &History{loaded: loaded, file: &file{path: path}, log: log}
}

// Note adds a snapshot that has become the current one. The first one costs nothing:
// it is kept until there is something to compare it with.
func (h *History) Note(s *catalog.Snapshot) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.first == nil && h.current == nil {
		h.first = s
		return
	}
	h.add(s)
}

// Current returns the state of the catalog, once it is loaded, with everything that
// was noted up to now.
func (h *History) Current() State {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.catchUp()
	return h.steps[len(h.steps)-1].State
}

// Since returns the current snapshot, and what has changed since the catalog had a
// revision, or a hash: then since the oldest revision that is known to have had it.
// It is not known where neither is. The catalog must be loaded.
func (h *History) Since(token catalog.Fingerprint) (now *catalog.Snapshot, changes catalog.Changes, known bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.catchUp()
	at := h.find(token)
	if at < 0 && h.file != nil { // perhaps another process has added it
		h.readFile()
		at = h.find(token)
	}
	if at < 0 {
		return h.current, catalog.Changes{}, false
	}
	return h.current, h.since(at), true
}

// After returns the current snapshot, and what has changed since an earlier one.
func (h *History) After(s *catalog.Snapshot) (now *catalog.Snapshot, changes catalog.Changes) {
	if s == h.loaded() {
		return s, catalog.Changes{} // whose revision need not be known for that
	}
	now, changes, known := h.Since(s.Revision())
	if !known {
		changes = now.Diff(knownOf(s))
	}
	return now, changes
}

func knownOf(s *catalog.Snapshot) []catalog.Known {
	known := make([]catalog.Known, len(s.Entries()))
	for i, e := range s.Entries() {
		known[i] = catalog.Known{ID: e.ID, EntryHash: e.Hash()}
	}
	return known
}

// catchUp adds the current snapshot, which a caller may have seen before it is noted,
// and reads the file if it was not read.
func (h *History) catchUp() {
	if current := h.loaded(); current != nil {
		h.add(current)
	}
	if !h.read {
		h.readFile()
	}
}

// add adds a step for a snapshot unless it is the last one.
func (h *History) add(s *catalog.Snapshot) {
	if first := h.first; first != nil {
		h.first = nil
		h.add(first)
	}
	if s == h.current {
		return
	}
	before := h.current
	h.current = s
	if before == nil {
		h.steps, h.unsaved = []step{{State: StateOf(s)}}, 1
		return
	}
	if changed := changes(entriesOf(before), entriesOf(s)); len(changed) > 0 {
		h.steps = append(h.steps, step{StateOf(s), changed})
		h.changes += len(changed)
		h.unsaved++
		h.trim()
	}
}

// trim forgets the oldest revisions where there are too many.
func (h *History) trim() {
	first := 0
	for len(h.steps)-first > 1 && (len(h.steps)-first > maxRevisions || h.changes > maxChanges) {
		first++ // whose changes lead to one that is forgotten
		h.changes -= len(h.steps[first].Before)
	}
	if first > 0 {
		h.steps = slices.Clone(h.steps[first:])
		h.steps[0].Before = nil
	}
}

// find returns the latest step with a revision, else the oldest one with a hash,
// else -1.
func (h *History) find(token catalog.Fingerprint) int {
	for i, s := range slices.Backward(h.steps) {
		if s.Revision == token {
			return i
		}
	}
	return slices.IndexFunc(h.steps, func(s step) bool { return s.Hash == token })
}

// since returns what has changed after a step.
func (h *History) since(at int) (changes catalog.Changes) {
	was := map[catalog.ID]catalog.Fingerprint{}
	for _, s := range slices.Backward(h.steps[at+1:]) {
		for _, w := range s.Before {
			was[w.ID] = w.Hash
		}
	}
	for id, hash := range was {
		e, ok := h.current.Get(string(id))
		served := ok && e.ID == id // and not found by another spelling
		switch {
		case served && hash == "":
			changes.Added = append(changes.Added, e)
		case served && hash != e.Hash():
			changes.Updated = append(changes.Updated, e)
		case !served && hash != "":
			changes.Removed = append(changes.Removed, id)
		}
	}
	byID := func(a, b *catalog.Entry) int { return cmp.Compare(a.ID, b.ID) }
	slices.SortFunc(changes.Added, byID)
	slices.SortFunc(changes.Updated, byID)
	slices.Sort(changes.Removed)
	return changes
}
