package history

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// Trouble describes what is wrong with the file of the history, or returns "" if
// nothing is wrong. The catalog must be loaded.
func (h *History) Trouble() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.catchUp()
	switch {
	case h.failure != nil:
		return "the history of revisions is kept in memory, since its file cannot be used: " + h.failure.Error()
	case h.damaged:
		return "the history of revisions was damaged and has started over: clients that know an older revision must list everything"
	}
	return ""
}

// Save writes new steps to the file, if the history has one, after the steps that other
// processes wrote. It does nothing before the catalog is loaded. It logs errors, and
// Trouble reports them.
func (h *History) Save() {
	if h.file == nil || h.loaded() == nil || !h.hasNews() {
		return
	}
	unlock, err := files.Lock(context.Background(), h.file.path+".lock")
	if err != nil {
		h.saved(0, nil, files.Cause(err))
		return
	}
	defer unlock()
	if r, news := h.record(); news > 0 {
		seen, err := h.file.write(r)
		h.saved(news, seen, err)
	}
}

func (h *History) hasNews() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.catchUp()
	return h.unsaved > 0 && !errors.Is(h.failure, files.ErrNewer)
}

// record returns the new content of the file, and the number of steps in it that are
// new. The number is 0 if the file must not be written.
func (h *History) record() (record, int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.readFile()
	if h.unsaved == 0 || errors.Is(h.failure, files.ErrNewer) {
		return record{}, 0
	}
	return record{slices.Clone(h.steps), entriesOf(h.current)}, h.unsaved
}

// saved records the result of writing this many steps.
func (h *History) saved(steps int, seen fs.FileInfo, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fail(err)
	if err == nil {
		h.unsaved, h.file.seen = max(h.unsaved-steps, 0), seen
	}
}

func (h *History) fail(err error) {
	if err != nil && (h.failure == nil || h.failure.Error() != err.Error()) {
		h.log.Warn("the history of revisions is kept in memory, since its file cannot be used", "file", h.file.path, "error", err)
	}
	h.failure = err
}

// readFile reads the steps that other processes have written, and puts them before the
// unsaved steps of this one. The next Save replaces a damaged file.
func (h *History) readFile() {
	if h.file == nil || h.read && !files.Changed(h.file.path, h.file.seen) {
		return
	}
	h.read = true
	r, err := h.file.read()
	switch {
	case errors.Is(err, files.ErrDamaged):
		h.damaged = true
		h.log.Warn("the history of revisions is damaged and starts over: clients that know an older revision must list everything", "file", h.file.path)
		fallthrough
	case err == nil && len(r.Steps) == 0:
		h.unsaved = len(h.steps) // all steps
	case err != nil:
		h.fail(err)
	default:
		h.join(r)
	}
}

// join puts the steps of r before those steps that are not saved yet, or at least
// before the current one.
func (h *History) join(r record) {
	own := h.steps[len(h.steps)-min(max(h.unsaved, 1), len(h.steps)):]
	first := entriesOf(h.current)
	for _, s := range slices.Backward(own[1:]) {
		s.undo(first)
	}
	h.steps = slices.Clone(r.Steps)
	if changed := changes(r.Entries, first); len(changed) > 0 {
		h.steps = append(h.steps, step{own[0].State, changed})
	}
	h.steps = append(h.steps, own[1:]...)
	h.unsaved = len(h.steps) - len(r.Steps)
	h.changes = 0
	for _, s := range h.steps {
		h.changes += len(s.Before)
	}
	h.trim()
}

// undo turns the entries of this revision into those of the previous revision.
func (s step) undo(entries map[catalog.ID]catalog.Fingerprint) {
	for _, w := range s.Before {
		if w.Hash == "" {
			delete(entries, w.ID)
		} else {
			entries[w.ID] = w.Hash
		}
	}
}

func entriesOf(s *catalog.Snapshot) map[catalog.ID]catalog.Fingerprint {
	entries := make(map[catalog.ID]catalog.Fingerprint, len(s.Entries()))
	for _, e := range s.Entries() {
		entries[e.ID] = e.Hash()
	}
	return entries
}

// changes returns the entries that differ, with their hashes in before, in id order.
func changes(before, after map[catalog.ID]catalog.Fingerprint) (changed []was) {
	for id, hash := range after {
		if before[id] != hash {
			changed = append(changed, was{id, before[id]})
		}
	}
	for id, hash := range before {
		if after[id] == "" {
			changed = append(changed, was{id, hash})
		}
	}
	slices.SortFunc(changed, func(a, b was) int { return cmp.Compare(a.ID, b.ID) })
	return changed
}
