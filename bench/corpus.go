package bench

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
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

// bundleFrom is the number of entries from which on a catalog is a bundle: nobody
// keeps a folder of so many files.
const bundleFrom = 100_000

// form says what the entries of a catalog are like.
type form struct {
	name   Form
	bodies lengths
	// Terms in about 13 % and 97 % of the entries.
	eighth, nearlyAll string
}

// lengths are those of bodies, in bytes: least, plus an exponential distribution with
// the mean spread, cut off at most.
type lengths struct{ least, spread, most int }

var (
	// folderForm makes files of 1.8 KB on average.
	folderForm = form{name: Folder, bodies: lengths{least: 400, spread: 930, most: 12_000}, eighth: "batch", nearlyAll: "use"}
	// bundleForm makes lines of 1 KB on average.
	bundleForm = form{name: Bundle, bodies: lengths{least: 200, spread: 330, most: 8_000}, eighth: "once", nearlyAll: "e the "}
)

// formOf returns the form of a catalog of n entries.
func formOf(n int) *form {
	if n < bundleFrom {
		return &folderForm
	}
	return &bundleForm
}

// File is a piece of a generated catalog: an instruction file, or a line of the
// bundle.
type File struct {
	Path string // within the catalog, with slashes
	Data []byte
}

// Generate writes a catalog of n entries into dir, which it creates if it is missing.
// Up to 99,999 entries have one file each, two of three in JSON, the others in
// Markdown, in a folder for each topic, 1.8 KB long on average; more are the
// lines of one bundle, [BundleName], 1 KB each on average. All of them are
// well-formed and record the right hash or none. The same n and seed give the
// same bytes with the same release of Go; a greater n of the same form adds
// entries. It stops when ctx ends.
func Generate(ctx context.Context, dir string, n int, seed uint64) error {
	_, err := formOf(n).generate(ctx, dir, n, seed, func(int) {})
	return err
}

// corpus is a generated catalog and what is true of it, by which answers are checked.
type corpus struct {
	form  *form
	path  string   // what a server is given: the folder, or the bundle
	files []string // paths of all its files
	bytes int64    // in them
	truth
}

// generate is [Generate] with a result. It calls progress with the number of entries
// that are written.
func (f *form) generate(ctx context.Context, dir string, n int, seed uint64, progress func(entries int)) (*corpus, error) {
	c := &corpus{form: f, path: dir, truth: truth{with: map[string]int{}}}
	if f.name == Bundle {
		c.path = filepath.Join(dir, BundleName)
		c.files = []string{c.path}
	}
	err := f.eachBlock(ctx, n, seed, func(b *block) error {
		c.add(&b.truth)
		progress(c.entries)
		return c.write(dir, b.files)
	})
	if err != nil {
		return nil, fmt.Errorf("generate a catalog: %w", err)
	}
	c.complete()
	return c, nil
}

// write writes files into a folder, or appends lines to the bundle in it.
func (c *corpus) write(dir string, files []File) error {
	if c.form.name == Bundle {
		var lines []byte
		for _, f := range files {
			lines = append(lines, f.Data...)
		}
		files = []File{{BundleName, lines}}
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if c.form.name == Folder {
			c.files = append(c.files, path)
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		flags := os.O_CREATE | os.O_WRONLY | os.O_APPEND
		if c.form.name == Folder || c.bytes == 0 {
			flags |= os.O_TRUNC
		}
		file, err := os.OpenFile(path, flags, 0o644)
		if err != nil {
			return err
		}
		_, err = file.Write(f.Data)
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
		c.bytes += int64(len(f.Data))
	}
	return nil
}

// blockEntries is the number of entries that share a source of randomness, so that
// blocks can be made in parallel.
const blockEntries = 5000

// block is a part of a catalog.
type block struct {
	files []File
	truth
}

// eachBlock makes the blocks of a catalog in parallel and calls use with each, in
// their order.
func (f *form) eachBlock(ctx context.Context, n int, seed uint64, use func(*block) error) error {
	blocks := (n + blockEntries - 1) / blockEntries
	for first := 0; first < blocks; first += runtime.GOMAXPROCS(0) {
		made := make([]*block, min(runtime.GOMAXPROCS(0), blocks-first))
		workers, ctx := errgroup.WithContext(ctx)
		for i := range made {
			workers.Go(func() (err error) {
				made[i], err = f.block(ctx, n, seed, first+i)
				return err
			})
		}
		if err := workers.Wait(); err != nil {
			return err
		}
		for _, b := range made {
			if err := use(b); err != nil {
				return err
			}
		}
	}
	return nil
}

// block makes the block of that number of a catalog of n entries.
func (f *form) block(ctx context.Context, n int, seed uint64, number int) (*block, error) {
	g := &generator{author: newAuthor(seed, uint64(number)), form: f, rare: int(seed % uint64(n))}
	b := &block{truth: truth{with: map[string]int{}}}
	for i := number * blockEntries; i < min((number+1)*blockEntries, n); i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		doc, file := g.entry(i)
		b.files = append(b.files, file)
		b.count(doc, f.terms())
		if i == g.rare {
			b.rare = doc.ID
		}
		if i == n/2 {
			b.some = doc.ID
		}
	}
	return b, nil
}

// Terms to look for in any generated catalog, in any case. They are made of
// letters that are often neighbours in the texts, so that a search that guesses
// by parts of a word has to look twice.
const (
	RareTerm   = "reconsideration" // in exactly one entry
	AbsentTerm = "transliteration" // in none
	CommonTerm = "error"           // in most, in one at least
)

// Terms that are hard in a way of their own. The first three have no part of
// three bytes, by which texts are usually indexed.
const (
	oneByteTerm       = "z"           // in one entry of ten or twenty
	twoByteTerm       = "ed"          // in most
	absentTwoByteTerm = "ht"          // in none, though its bytes are in all
	twoWordTerm       = "error check" // in hardly any, though each part of three bytes is in most
	acrossTerm        = ". the"       // in many, across the end of a sentence
)

// terms returns every term that an answer is checked for.
func (f *form) terms() []string {
	return []string{
		RareTerm, AbsentTerm, CommonTerm, f.eighth, f.nearlyAll,
		oneByteTerm, twoByteTerm, absentTwoByteTerm, twoWordTerm, acrossTerm,
	}
}

// category is the one to list: one entry of eight has it.
const category = "go"

// known is what a client remembers of an entry.
type known struct {
	ID         string `json:"id"`
	SourceHash string `json:"sourceHash"`
}

// truth is what is true of some entries, known from generating them.
type truth struct {
	entries  int
	known    []known // by id, once all are added; nil of more than maxKnown
	hash     string  // of the catalog, once all are added
	rare     string  // id of the entry that has RareTerm, if it is among them
	some     string  // id of the entry in the middle, if it is among them
	category int     // entries of the category
	with     map[string]int
}

// count adds an entry.
func (t *truth) count(d *document, terms []string) {
	t.entries++
	t.known = append(t.known, known{d.ID, d.SourceHash})
	if slices.Contains(d.Categories, category) {
		t.category++
	}
	title, body := strings.ToLower(d.Title), strings.ToLower(d.Body)
	for _, term := range terms {
		if strings.Contains(body, term) || strings.Contains(title, term) {
			t.with[term]++
		}
	}
}

// add adds the entries of another.
func (t *truth) add(b *truth) {
	t.entries += b.entries
	t.known = append(t.known, b.known...)
	t.rare += b.rare
	t.some += b.some
	t.category += b.category
	for term, n := range b.with {
		t.with[term] += n
	}
}

// complete is called once all entries are added.
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
