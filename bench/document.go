package bench

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// document is an entry as written to a file. It has the members that files of real
// catalogs usually have.
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

// generator generates the entries of one block, in order.
type generator struct {
	*author
	form *form
	rare int // index of the entry that contains RareTerm
}

// entry generates entry i and the file or bundle line that stores it.
func (g *generator) entry(i int) (*document, File) {
	topic := choose(g.random, topics)
	name := fmt.Sprintf("%s-%s-%05d", g.word("verb"), g.word("noun"), i)
	doc := g.document(i, topic, topic+"-"+name)
	switch {
	case g.form.name == Bundle:
		return doc, File{Path: BundleName, Data: doc.line()}
	case i%3 == 2:
		return doc, File{Path: topic + "/" + name + ".md", Data: doc.markdown()}
	}
	return doc, File{Path: topic + "/" + name + ".json", Data: doc.json()}
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

// bodySize returns a random body length, in bytes. Most bodies are short and some are
// long.
func (g *generator) bodySize() int {
	l := g.form.bodies
	return min(l.least+int(g.random.ExpFloat64()*float64(l.spread)), l.most)
}

// categories returns the topic and up to three random adjectives, sorted and without
// duplicates.
func (g *generator) categories(topic string) []string {
	all := lexicons()["adjective"]
	categories := []string{topic}
	for range g.random.IntN(4) {
		categories = append(categories, all[g.random.IntN(len(all))])
	}
	slices.Sort(categories)
	return slices.Compact(categories)
}

// json returns the document as indented JSON, as in catalogs that are kept in Git.
func (d *document) json() []byte { return append(d.encode(jsontext.WithIndent("  ")), '\n') }

// line returns the document as one line of JSON, as in bundles.
func (d *document) line() []byte { return append(d.encode(), '\n') }

func (d *document) encode(options ...json.Options) []byte {
	encoded, err := json.Marshal(d, options...)
	if err != nil {
		panic("bench: " + err.Error()) // cannot happen: it has only strings and numbers
	}
	return encoded
}

// markdown returns the document as a person would write it: without an id, which
// follows from the path, and without a hash.
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
