package bench

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
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

// bundleFrom is the number of entries from which on a catalog is a bundle: folders of
// that many files are not realistic.
const bundleFrom = 100_000

// form describes the entries of a generated catalog.
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

// corpus is a generated catalog and the facts about it that answers are checked against.
type corpus struct {
	form  *form
	path  string   // what a server is given: the folder, or the bundle
	files []string // paths of all its files
	bytes int64    // in them
	truth
}

// generate is [Generate] with a result. It calls progress with the number of entries
// written so far, every blockEntries entries and at the end.
func (f *form) generate(ctx context.Context, dir string, n int, seed uint64, progress func(entries int)) (c *corpus, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("generate a catalog: %w", err)
		}
	}()
	c = &corpus{form: f, path: dir}
	write := c.writeFile
	if f.name == Bundle {
		c.path = filepath.Join(dir, BundleName)
		c.files = []string{c.path}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
		file, err := os.Create(c.path)
		if err != nil {
			return nil, err
		}
		lines := bufio.NewWriter(file)
		defer func() { err = errors.Join(err, lines.Flush(), file.Close()) }()
		write = func(f File) error {
			_, err := lines.Write(f.Data)
			return err
		}
	}
	written := 0
	c.truth, err = f.entries(ctx, n, seed, func(file File) error {
		if written++; written%blockEntries == 0 || written == n {
			progress(written)
		}
		c.bytes += int64(len(file.Data))
		return write(file)
	})
	return c, err
}

// writeFile writes a file into the folder.
func (c *corpus) writeFile(f File) error {
	path := filepath.Join(c.path, filepath.FromSlash(f.Path))
	c.files = append(c.files, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, f.Data, 0o644)
}

// blockEntries is the number of entries that share a source of randomness: those of a
// larger catalog begin with those of a smaller one.
const blockEntries = 5000

// entries makes the entries of a catalog, calls use with the file or line of each, and
// returns the facts about them.
func (f *form) entries(ctx context.Context, n int, seed uint64, use func(File) error) (t truth, err error) {
	t = truth{with: map[string]int{}}
	terms := f.terms()
	var g *generator
	for i := range n {
		if err := ctx.Err(); err != nil {
			return t, err
		}
		if i%blockEntries == 0 {
			g = &generator{author: newAuthor(seed, uint64(i/blockEntries)), form: f, rare: int(seed % uint64(n))}
		}
		doc, file := g.entry(i)
		t.count(doc, terms)
		if i == g.rare {
			t.rare = doc.ID
		}
		if i == n/2 {
			t.some = doc.ID
		}
		if err := use(file); err != nil {
			return t, err
		}
	}
	t.complete()
	return t, nil
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

// terms returns the terms whose matches are counted.
func (f *form) terms() []string {
	return []string{
		RareTerm, AbsentTerm, CommonTerm, f.eighth, f.nearlyAll,
		oneByteTerm, twoByteTerm, absentTwoByteTerm, twoWordTerm, acrossTerm,
	}
}

// category is the category that a question lists: one entry in eight has it.
const category = "go"

// known is an entry as a client of instructions/diff names it.
type known struct {
	ID         string `json:"id"`
	SourceHash string `json:"sourceHash"`
}

// truth holds the facts about the entries, known from generating them.
type truth struct {
	entries  int
	known    []known // by id, once all are added; nil of more than maxKnown
	hash     string  // of the catalog, once all are added
	rare     string  // id of the entry that has RareTerm
	some     string  // id of the entry in the middle
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
