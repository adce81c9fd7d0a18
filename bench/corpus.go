package bench

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Terms to look for in a generated catalog, in any case. They are made of
// letters that often stand beside each other in the texts, so that a search
// which guesses by parts of a word has to look twice.
const (
	RareTerm   = "reconsideration" // in exactly one entry
	AbsentTerm = "transliteration" // in none
	CommonTerm = "error"           // in most, in one at least
)

// File is an instruction file.
type File struct {
	Path string // within the catalog, with slashes
	Data []byte
}

// Generate writes a catalog of n entries into dir, which it makes if need be:
// one file each, two of three in JSON, the others in Markdown, in a folder for
// each topic, 1.8 KB long on average. All of them are well-formed and record the
// right hash or none. The same n and seed give the same bytes with the same
// release of Go; a greater n adds entries. It stops when ctx ends.
func Generate(ctx context.Context, dir string, n int, seed uint64) error {
	g := newGenerator(n, seed)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		f := g.file(i)
		path := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return fmt.Errorf("generate a catalog: %w", err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			return fmt.Errorf("generate a catalog: %w", err)
		}
	}
	return nil
}

// generator makes one file after the other.
type generator struct {
	*author
	rare int // the entry that holds RareTerm
}

func newGenerator(n int, seed uint64) *generator {
	return &generator{author: newAuthor(seed), rare: int(seed % uint64(max(n, 1)))}
}

// document is an entry as a file writes it, with the members that the files of
// real catalogs usually have.
type document struct {
	ID            string   `json:"id"`
	Title         string   `json:"title"`
	Body          string   `json:"body"`
	Rationale     string   `json:"rationale,omitempty"`
	Priority      int      `json:"priority"`
	Audience      string   `json:"audience"`
	Requirement   string   `json:"requirement"`
	Categories    []string `json:"categories"`
	Owner         string   `json:"owner"`
	Status        string   `json:"status"`
	SourceHash    string   `json:"sourceHash"`
	SchemaVersion string   `json:"schemaVersion"`
	CreatedAt     string   `json:"createdAt"`
	UpdatedAt     string   `json:"updatedAt"`
}

var (
	topics       = []string{"go", "security", "testing", "review", "operations", "data", "frontend", "agents"}
	audiences    = []string{"all", "all", "group", "individual"}
	requirements = []string{"recommended", "recommended", "mandatory", "optional", "critical"}
	statuses     = []string{"approved", "approved", "review", "draft"}
)

// file makes the file of entry i.
func (g *generator) file(i int) File {
	topic := choose(g.random, topics)
	name := fmt.Sprintf("%s-%s-%05d", g.word("verb"), g.word("noun"), i)
	doc := g.document(i, topic, topic+"-"+name)
	if i%3 == 2 {
		return File{Path: topic + "/" + name + ".md", Data: doc.markdown()}
	}
	return File{Path: topic + "/" + name + ".json", Data: doc.json()}
}

func (g *generator) document(i int, topic, id string) *document {
	title := g.title()
	extra := ""
	if i == g.rare {
		extra = "Ask for a " + RareTerm + " of the " + CommonTerm + " where this does not fit."
	}
	body := g.body(title, g.bodySize(), extra)
	sum := sha256.Sum256([]byte(body))
	created := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(g.random.IntN(500*24*60)) * time.Minute)
	doc := &document{
		ID: id, Title: title, Body: body,
		Priority: 1 + g.random.IntN(100), Audience: choose(g.random, audiences), Requirement: choose(g.random, requirements),
		Categories: g.categories(topic), Owner: g.word("noun") + "-team", Status: choose(g.random, statuses),
		SourceHash: hex.EncodeToString(sum[:]), SchemaVersion: "3",
		CreatedAt: timestamp(created), UpdatedAt: timestamp(created.Add(time.Duration(g.random.IntN(90*24)) * time.Hour)),
	}
	if g.random.IntN(4) == 0 {
		doc.Rationale = g.sentence()
	}
	return doc
}

// bodySize draws the length of a body, in bytes: many are short and some long.
// The figures bring files to an average of 1.8 KB.
func (g *generator) bodySize() int {
	const least, spread, most = 400, 930, 12_000
	return min(least+int(g.random.ExpFloat64()*spread), most)
}

// categories are the topic and up to three others, in alphabetical order.
func (g *generator) categories(topic string) []string {
	all := lexicons["adjective"]
	categories := []string{topic}
	for range g.random.IntN(4) {
		categories = append(categories, all[g.random.IntN(len(all))])
	}
	slices.Sort(categories)
	return slices.Compact(categories)
}

// json writes the document with indentation, as catalogs are kept in Git.
func (d *document) json() []byte {
	var buf bytes.Buffer
	encoder := json.NewEncoder(&buf)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(d); err != nil {
		panic("bench: cannot encode strings and numbers: " + err.Error())
	}
	return buf.Bytes()
}

// markdown writes the document as a person would: the id follows from the
// path, and no hash is recorded.
func (d *document) markdown() []byte {
	var text strings.Builder
	fmt.Fprintf(&text, "---\ntitle: %q\npriority: %d\naudience: %s\nrequirement: %s\ncategories: [%s]\nowner: %s\n",
		d.Title, d.Priority, d.Audience, d.Requirement, strings.Join(d.Categories, ", "), d.Owner)
	if d.Rationale != "" {
		fmt.Fprintf(&text, "rationale: %q\n", d.Rationale)
	}
	fmt.Fprintf(&text, "createdAt: %s\n---\n%s", d.CreatedAt, d.Body)
	return []byte(text.String())
}

func timestamp(t time.Time) string { return t.Format("2006-01-02T15:04:05.000Z") }

func choose(random *rand.Rand, from []string) string { return from[random.IntN(len(from))] }
