package history

import (
	"cmp"
	"log/slog"
	"slices"
	"sync"

	"instruction-catalog/catalog"
)

// The maximum size of a history. Older revisions are dropped.
const (
	maxRevisions = 1000
	maxChanges   = 50_000 // changes of entries, in all revisions together
)

// State identifies a state of a catalog.
type State struct {
	Hash     catalog.Fingerprint `json:"hash"`
	Revision catalog.Fingerprint `json:"revision"`
}

// StateOf returns the state of a snapshot.
func StateOf(s *catalog.Snapshot) State { return State{s.Hash(), s.Revision()} }

// step is a revision with the changes that lead back to the previous one.
type step struct {
	State
	Before []was `json:"before,omitempty"`
}

// was is an entry's hash in the previous revision. Hash is "" for a new entry.
type was struct {
	ID   catalog.ID          `json:"id"`
	Hash catalog.Fingerprint `json:"was,omitempty"`
}

// History holds the revisions that a catalog has had, up to the current one. It is safe
// for concurrent use.
type History struct {
	loaded func() *catalog.Snapshot // returns the current snapshot; nil if none is loaded

	mu      sync.Mutex
	first   *catalog.Snapshot // the first snapshot noted, until it becomes a step
	steps   []step            // oldest first
	changes int               // number of changes in all steps
	current *catalog.Snapshot

	file    *file // nil if the history is kept in memory
	log     *slog.Logger
	read    bool  // whether the file has been read
	unsaved int   // number of steps that are not in the file
	damaged bool  // whether the file was damaged
	failure error // why the file cannot be used; nil if it can
}

// New returns a history that is kept in memory. loaded returns the current snapshot, or
// nil if none is loaded.
func New(loaded func() *catalog.Snapshot) *History { return &History{loaded: loaded} }

// Open returns a history that is kept in a file, which several processes may share. The
// file need not exist. It is read when its content is first needed, and written by
// [History.Save]. Problems with it are logged.
func Open(path string, loaded func() *catalog.Snapshot, log *slog.Logger) *History {
	return &History{loaded: loaded, file: &file{path: path}, log: log}
}

// Note adds a snapshot that has become the current one. The first call is cheap: the
// snapshot is only kept until there is another one to compare it with.
func (h *History) Note(s *catalog.Snapshot) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.first == nil && h.current == nil {
		h.first = s
		return
	}
	h.add(s)
}

// Current returns the current state of the catalog, after adding everything noted so
// far. The catalog must be loaded.
func (h *History) Current() State {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.catchUp()
	return h.steps[len(h.steps)-1].State
}

// Since returns the current snapshot, and the changes since token, which is a revision
// or a hash. For a hash, these are the changes since the oldest recorded revision with
// that hash. known is false if no recorded revision matches token. The catalog must be
// loaded.
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

// After returns the current snapshot, and the changes since the earlier snapshot s.
func (h *History) After(s *catalog.Snapshot) (now *catalog.Snapshot, changes catalog.Changes) {
	if s == h.loaded() {
		return s, catalog.Changes{} // saves computing the revision of s
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

// catchUp adds the current snapshot, since a caller may see it before Note is called
// for it. It also reads the file if it has not been read.
func (h *History) catchUp() {
	if current := h.loaded(); current != nil {
		h.add(current)
	}
	if !h.read {
		h.readFile()
	}
}

// add adds a step for s, unless s is the current snapshot or has the same entries.
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

// trim drops the oldest revisions if there are too many.
func (h *History) trim() {
	first := 0
	for len(h.steps)-first > 1 && (len(h.steps)-first > maxRevisions || h.changes > maxChanges) {
		first++ // its changes lead back to a dropped revision
		h.changes -= len(h.steps[first].Before)
	}
	if first > 0 {
		h.steps = slices.Clone(h.steps[first:])
		h.steps[0].Before = nil
	}
}

// find returns the index of the latest step with the revision token, or else of the
// oldest step with the hash token, or else -1.
func (h *History) find(token catalog.Fingerprint) int {
	for i, s := range slices.Backward(h.steps) {
		if s.Revision == token {
			return i
		}
	}
	return slices.IndexFunc(h.steps, func(s step) bool { return s.Hash == token })
}

// since returns what has changed after the step with index at.
func (h *History) since(at int) (changes catalog.Changes) {
	was := map[catalog.ID]catalog.Fingerprint{}
	for _, s := range slices.Backward(h.steps[at+1:]) {
		for _, w := range s.Before {
			was[w.ID] = w.Hash
		}
	}
	for id, hash := range was {
		e, ok := h.current.Get(string(id))
		served := ok && e.ID == id // not found by another spelling of the id
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
