package format

import (
	"crypto/sha256"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"instruction-catalog/catalog"
)

const idForm = `1 to 120 of a-z, 0-9, "-" and "_", with a letter or digit at both ends`

func readID(n *normaliser, f field) {
	if n.doc.form == markdownForm && !n.has(f) {
		n.defaultID(f)
		return
	}
	hint := "write " + idForm
	if f.line == 0 && n.doc.Line == 0 {
		hint = idHint(n.doc.Path)
	}
	spelled, ok := n.required(f, hint)
	if !ok {
		return
	}
	id := catalog.ID(strings.ReplaceAll(strings.ToLower(spelled), ".", "-"))
	switch {
	case !id.Valid():
		n.fail(IDInvalid, f, "%s is not a valid id: write %s", f.value, idForm)
		return
	case string(id) != spelled:
		n.taken(f, strconv.Quote(string(id)))
	}
	n.entry.ID = id
	n.origin.SpelledID = spelled
}

// defaultID sets the id from the file's path.
func (n *normaliser) defaultID(f field) {
	id := idFromPath(n.doc.Path)
	if !id.Valid() {
		n.fail(IDInvalid, f, "the path yields %s, which is not a valid id: set id to %s", Quote(string(id)), idForm)
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

// idFromPath returns the id for a path: the path without the extension, in lower case,
// with '-' for characters that an id cannot contain. Diacritical marks are removed. A
// letter or digit that is not Latin becomes its code point, as in u4f60. The end of an
// id that would be too long is replaced by the beginning of a hash of the path. The id
// is empty if the path has no letter or digit.
func idFromPath(p string) catalog.ID {
	var b strings.Builder
	plain := true
	name := strings.ReplaceAll(strings.TrimPrefix(nameOf(p), "."), "/.", "/")
	lower := latin.Replace(strings.ToLower(strings.TrimSuffix(name, path.Ext(name))))
	for _, r := range norm.NFKD.String(lower) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', strings.ContainsRune("-_", r):
			b.WriteRune(r)
		case strings.ContainsRune("/. ", r):
			b.WriteByte('-')
		case unicode.Is(unicode.Mn, r):
			continue
		case unicode.IsLetter(r), unicode.IsDigit(r):
			fmt.Fprintf(&b, "u%x", r)
		default:
			b.WriteByte('-')
			plain = false
		}
	}
	id := strings.Trim(b.String(), "-_")
	if !plain { // an id of usual characters keeps every hyphen
		id = hyphens.ReplaceAllString(id, "-")
	}
	if len(id) > maxID {
		sum := fmt.Sprintf("-%x", sha256.Sum256([]byte(p)))[:9]
		id = id[:maxID-len(sum)] + sum
	}
	return catalog.ID(id)
}

var hyphens = regexp.MustCompile("--+")

// latin spells out Latin letters that NFKD does not split into a base letter and a
// mark.
var latin = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "ł", "l", "đ", "d", "ð", "d", "þ", "th", "ı", "i")

// maxID is the maximum length of an id.
const maxID = 120

// nameOf returns the path that names a file. A skill is named by its folder.
func nameOf(p string) string {
	if dir, base := path.Split(p); base == "SKILL.md" && dir != "" {
		return strings.TrimSuffix(dir, "/")
	}
	return p
}
