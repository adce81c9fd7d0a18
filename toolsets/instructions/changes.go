package instructions

import (
	"slices"

	"instruction-catalog/catalog"
)

// onChange returns a function that registers a listener for the URIs of changed texts,
// or nil if the toolset does not watch its files.
func (t *Toolset) onChange() func(func([]string)) {
	if t.reloader == nil {
		return nil
	}
	return func(notify func([]string)) {
		t.notifier.onChange = func(before *catalog.Snapshot, c catalog.Changes) { notify(changedURIs(before, c)) }
	}
}

// changedURIs returns the URIs whose content changed. It includes the former URIs of
// removed and renamed entries.
func changedURIs(before *catalog.Snapshot, c catalog.Changes) []string {
	uris := []string{indexURI}
	was := func(id catalog.ID) {
		if e, ok := before.Get(string(id)); ok {
			uris = append(uris, urisOf(e)...)
		}
	}
	for _, id := range c.Removed {
		was(id)
	}
	for _, e := range c.Updated {
		was(e.ID)
		uris = append(uris, urisOf(e)...)
	}
	for _, e := range c.Added {
		uris = append(uris, urisOf(e)...)
	}
	slices.Sort(uris)
	return slices.Compact(uris)
}

// urisOf returns every URI of an entry: the one with its id, the one with the id as its
// file spells it, and the skill URI if the entry has a skill name.
func urisOf(e *catalog.Entry) []string {
	uris := []string{instructionURI(e.ID)}
	if spelled := e.Origin.SpelledID; spelled != "" && spelled != string(e.ID) {
		uris = append(uris, instructionScheme+"://"+spelled)
	}
	if name, ok := skillName(e); ok {
		uris = append(uris, skillURI(name))
	}
	return uris
}
