package instructions

import (
	"slices"

	"instruction-catalog/catalog"
)

// onChange is how others hear of changed texts; nil where none are followed.
func (t *Toolset) onChange() func(func([]string)) {
	if t.live == nil {
		return nil
	}
	return func(tell func([]string)) {
		t.notifier.onChange = func(before *catalog.Snapshot, c catalog.Changes) { tell(changedURIs(before, c)) }
	}
}

// changedURIs are the URIs of what reads otherwise after some changes, or did
// before, as an entry that got another name.
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

// urisOf are the URIs that an entry may be read under. Its id may also be written
// as its file spells it.
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
