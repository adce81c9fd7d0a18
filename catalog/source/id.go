package source

import (
	"path"
	"strconv"
	"strings"

	"instruction-catalog/catalog"
)

const idForm = `1 to 120 of a-z, 0-9, "-" and "_", with a letter or digit at both ends`

func readID(n *normaliser, f field) {
	if n.doc.form == markdownForm && !n.has(f) {
		n.defaultID(f)
		return
	}
	hint := "write " + idForm
	if f.line == 0 && n.doc.line == 0 {
		hint = idHint(n.doc.path)
	}
	spelled, ok := n.required(f, hint)
	if !ok {
		return
	}
	id := catalog.ID(strings.ReplaceAll(strings.ToLower(spelled), ".", "-"))
	switch {
	case !id.Valid():
		n.fail(f, "%s is no valid id: write %s", f.value, idForm)
		return
	case string(id) != spelled:
		n.taken(f, strconv.Quote(string(id)))
	}
	n.entry.ID = id
	n.origin.SpelledID = spelled
}

// defaultID takes the id from the file's path.
func (n *normaliser) defaultID(f field) {
	id := idFromPath(n.doc.path)
	if !id.Valid() {
		n.fail(f, "the path gives %s, which is no valid id: set id to %s", shorten(string(id)), idForm)
		return
	}
	n.entry.ID = id
}

func idHint(p string) string {
	if id := idFromPath(p); id.Valid() {
		return `add "id": "` + string(id) + `"`
	}
	return `add "id": ` + idForm
}

// idFromPath is the path without the extension, in lower case, with '-' for
// what commonly stands in a path and not in an id. It may not be valid.
func idFromPath(p string) catalog.ID {
	p = strings.TrimSuffix(p, path.Ext(p))
	return catalog.ID(strings.Map(func(r rune) rune {
		switch r {
		case '/', '.', ' ':
			return '-'
		}
		return r
	}, strings.ToLower(p)))
}
