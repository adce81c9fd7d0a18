package instructions

import (
	"instruction-catalog/catalog"
)

// onChange is how others hear of changed texts; nil where none are followed.
func (t *Toolset) onChange() func(func([]string)) {
	if t.live == nil {
		return nil
	}
	return func(tell func([]string)) {
		t.feed.onChange = func(c catalog.Changes) { tell(t.changedURIs(c)) }
	}
}

// changedURIs are the URIs of what reads otherwise after some changes. That of an
// entry may also be written with the id as its file spells it.
func (t *Toolset) changedURIs(c catalog.Changes) []string {
	uris := []string{indexURI}
	for _, id := range c.Removed {
		uris = append(uris, instructionURI(id), skillURI(string(id)))
	}
	for _, entries := range [][]*catalog.Entry{c.Added, c.Updated} {
		for _, e := range entries {
			uris = append(uris, instructionURI(e.ID))
			if spelled := e.Origin.SpelledID; spelled != "" && spelled != string(e.ID) {
				uris = append(uris, instructionScheme+"://"+spelled)
			}
			if name, ok := skillName(e); ok {
				uris = append(uris, skillURI(name))
			}
		}
	}
	return uris
}
