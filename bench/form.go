package bench

import (
	"context"
)

// Form is how a generated catalog is kept.
type Form string

// The forms.
const (
	Folder Form = "folder" // one file for each entry
	Bundle Form = "bundle" // one file of JSON lines
)

// BundleName is the name of the file of a generated bundle.
const BundleName = "catalog.jsonl"

// bundleFrom is the number of entries from which on a catalog is a bundle: a
// folder of so many files is nothing that people keep.
const bundleFrom = 100_000

// form is what the entries of a catalog are like.
type form struct {
	name   Form
	bodies lengths
	terms  terms
}

// lengths of bodies, in bytes: least, and how much more on average of an
// exponential distribution that is cut off at most.
type lengths struct {
	least, spread, most int
}

var (
	// folderForm brings files to an average of 1.8 KB.
	folderForm = form{
		name: Folder, bodies: lengths{least: 400, spread: 930, most: 12_000},
		terms: terms{eighth: "batch", nearlyAll: "use"},
	}
	// bundleForm brings lines to an average of 1 KB.
	bundleForm = form{
		name: Bundle, bodies: lengths{least: 200, spread: 330, most: 8_000},
		terms: terms{eighth: "once", nearlyAll: "e the "},
	}
)

// formOf returns the form of a catalog of n entries.
func formOf(n int) *form {
	if n < bundleFrom {
		return &folderForm
	}
	return &bundleForm
}

// blockEntries is how many entries are drawn from one source of randomness, so
// that blocks can be made beside each other.
const blockEntries = 5000

// generator makes the entries of one block, one after the other.
type generator struct {
	*author
	form       *form
	first, end int // the entries of the block
	rare       int // the entry that holds RareTerm
	some       int // the entry to get
}

func newGenerator(f *form, n int, seed uint64, block int) *generator {
	return &generator{
		author: newAuthor(seed, uint64(block)), form: f,
		first: block * blockEntries, end: min((block+1)*blockEntries, n),
		rare: int(seed % uint64(max(n, 1))), some: n / 2,
	}
}

// block is a part of a catalog, and what is true of it.
type block struct {
	files    []File
	known    []known // in the order in which they were made
	rare     string  // id of the entry with RareTerm, "" where it is in another block
	some     string  // id of the entry to get, "" where it is in another block
	category int     // entries of the category to list
	with     map[string]int
}

// block makes all entries of the block.
func (g *generator) block(ctx context.Context) (*block, error) {
	b := &block{with: map[string]int{}}
	all := g.form.terms.all()
	for i := g.first; i < g.end; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		doc, file := g.entry(i)
		b.files = append(b.files, file)
		b.count(doc, all)
		if i == g.rare {
			b.rare = doc.ID
		}
		if i == g.some {
			b.some = doc.ID
		}
	}
	return b, nil
}
