package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Terms to look for in any generated catalog, in any case. They are made of
// letters that are often neighbours in the texts, so that a search that guesses
// by parts of a word has to look twice.
const (
	RareTerm   = "reconsideration" // in exactly one entry
	AbsentTerm = "transliteration" // in none
	CommonTerm = "error"           // in most, in one at least
)

// terms are further ones, whose shares depend on the form of the catalog.
type terms struct {
	eighth    string // in some 13 % of the entries
	nearlyAll string // in some 97 %
}

// Terms that are hard in a way of their own. The first three have no part of
// three bytes, by which texts are usually indexed.
const (
	oneByteTerm       = "z"           // in one entry of ten or twenty
	twoByteTerm       = "ed"          // in most
	absentTwoByteTerm = "ht"          // in none, though its bytes are in all
	twoWordTerm       = "error check" // in hardly any, though each part of three bytes is in most
	acrossTerm        = ". the"       // in many, and of no word: that sentences end and begin is in all
)

// all returns every term that an answer is checked for.
func (t terms) all() []string {
	return []string{
		RareTerm, AbsentTerm, CommonTerm, t.eighth, t.nearlyAll,
		oneByteTerm, twoByteTerm, absentTwoByteTerm, twoWordTerm, acrossTerm,
	}
}

// category is the one to list: one entry of eight has it.
const category = "go"

// maxKnown is how many entries a request may say that it knows: so says the
// contract of instructions/diff.
const maxKnown = 150_000

// known is what a client remembers of an entry.
type known struct {
	ID         string `json:"id"`
	SourceHash string `json:"sourceHash"`
}

// truth is what is so of a generated catalog. It is known from the making, and
// every answer is checked against it.
type truth struct {
	entries  int
	hash     string         // of the catalog
	known    []known        // all entries by id, or none of more than maxKnown
	rare     string         // id of the entry that has RareTerm
	some     string         // id of an entry in the middle
	category int            // entries of the category
	with     map[string]int // entries with this term in title or body
}

func newTruth(n int) *truth { return &truth{known: make([]known, 0, n), with: map[string]int{}} }

// count notes what is so of one entry.
func (b *block) count(d *document, terms []string) {
	b.known = append(b.known, known{d.ID, d.SourceHash})
	if slices.Contains(d.Categories, category) {
		b.category++
	}
	title, body := strings.ToLower(d.Title), strings.ToLower(d.Body)
	for _, term := range terms {
		if strings.Contains(body, term) || strings.Contains(title, term) {
			b.with[term]++
		}
	}
}

// add takes up what is so of a block.
func (t *truth) add(b *block) {
	t.entries += len(b.known)
	t.known = append(t.known, b.known...)
	t.rare += b.rare
	t.some += b.some
	t.category += b.category
	for term, n := range b.with {
		t.with[term] += n
	}
}

// complete is called when all blocks are added.
func (t *truth) complete() {
	slices.SortFunc(t.known, func(a, b known) int { return strings.Compare(a.ID, b.ID) })
	sum := sha256.New()
	for i, k := range t.known {
		if i > 0 {
			sum.Write([]byte("|"))
		}
		sum.Write([]byte(k.ID + ":" + k.SourceHash))
	}
	t.hash = hex.EncodeToString(sum.Sum(nil))
	if t.entries > maxKnown {
		t.known = nil
	}
}
