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

// Form is how a generated catalog is stored.
type Form string

// Forms of a generated catalog.
const (
	Folder Form = "folder" // one file for each entry
	Bundle Form = "bundle" // one file of JSON lines
)

// BundleName is the name of the file of a generated bundle.
const BundleName = "catalog.jsonl"

// bundleFrom is the smallest number of entries that is generated as a bundle. Folders
// with that many files are not realistic.
const bundleFrom = 100_000

// form describes the entries of a generated catalog.
type form struct {
	name   Form
	bodies lengths
	// Search terms that occur in about 13 % and 97 % of the entries.
	eighth, nearlyAll string
}

// lengths is a distribution of body lengths, in bytes: least plus an exponentially
// distributed value with mean spread, limited to most.
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

// File is one part of a generated catalog: an instruction file, or a line of the
// bundle.
type File struct {
	Path string // within the catalog, with slashes
	Data []byte
}

// Generate writes a catalog of n entries into dir, and creates dir if it is missing.
//
// Up to 99,999 entries are written as one file each, 1.8 KB long on average, in a
// folder for each topic. Two of three files are JSON, the others Markdown. More entries
// are the lines of one bundle, [BundleName], 1 KB each on average. All entries are
// well-formed, and their recorded hashes are correct if present.
//
// With the same Go release, the same n and seed give the same bytes. A greater n of the
// same form only adds entries, as long as seed is less than both numbers of entries.
// Generate fails when ctx is done.
func Generate(ctx context.Context, dir string, n int, seed uint64) error {
	_, err := formOf(n).generate(ctx, dir, n, seed, func(int) {})
	return err
}

// corpus is a generated catalog with the facts that answers are checked against.
type corpus struct {
	form  *form
	path  string   // path of the folder or bundle, to pass to a server
	files []string // paths of all files
	bytes int64    // total size of the files
	truth
}

// generate implements [Generate] and returns the corpus. It calls progress with the
// number of entries written so far, every blockEntries entries and at the end.
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

// writeFile writes a file into the catalog's folder and records its path.
func (c *corpus) writeFile(f File) error {
	path := filepath.Join(c.path, filepath.FromSlash(f.Path))
	c.files = append(c.files, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, f.Data, 0o644)
}

// blockEntries is the number of entries that share a random source. Each block has its
// own, so a larger catalog begins with the entries of a smaller one.
const blockEntries = 5000

// entries generates the entries of a catalog, calls use with the file or line of each,
// and returns the facts about them.
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

// Terms to search for, ignoring case, in any generated catalog. Their letter pairs are
// frequent in the texts, so a search that selects candidates by parts of words must
// check the candidates.
const (
	RareTerm   = "reconsideration" // in exactly one entry
	AbsentTerm = "transliteration" // in no entry
	CommonTerm = "error"           // in most entries, and in at least one
)

// Terms that are hard to search for. The first three have fewer than three bytes, while
// text indexes usually consist of trigrams.
const (
	oneByteTerm       = "z"           // in one of every 10 to 20 entries
	twoByteTerm       = "ed"          // in most entries
	absentTwoByteTerm = "ht"          // in no entry, though all entries contain its bytes
	twoWordTerm       = "error check" // in hardly any entry, though each of its trigrams is in most
	acrossTerm        = ". the"       // in many entries, across the end of a sentence
)

// terms returns the terms whose matches are counted.
func (f *form) terms() []string {
	return []string{
		RareTerm, AbsentTerm, CommonTerm, f.eighth, f.nearlyAll,
		oneByteTerm, twoByteTerm, absentTwoByteTerm, twoWordTerm, acrossTerm,
	}
}

// category is the category that [listCategory] asks for. One entry in eight has it.
const category = "go"

// known is an entry as a client names it in the params of instructions/diff.
type known struct {
	ID         string `json:"id"`
	SourceHash string `json:"sourceHash"`
}

// truth holds facts about the generated entries.
type truth struct {
	entries  int
	known    []known // sorted by id once complete; nil if there are more than maxKnown
	hash     string  // of the catalog; set by complete
	rare     string  // id of the entry that contains RareTerm
	some     string  // id of the entry in the middle
	category int     // number of entries that have category
	with     map[string]int
}

// count adds an entry to the facts.
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

// complete sorts known and computes the catalog's hash. Call it once all entries are
// counted.
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
