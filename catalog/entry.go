package catalog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"strconv"
	"sync"

	"instruction-catalog/schemas/jsonscan"
)

// Entry is an instruction in a catalog: its JSON, and the fields that queries use. It
// never changes once [NewEntry] has made it.
type Entry struct {
	// The fields that answers read of all entries come first, so that they are
	// adjacent in memory.
	encoded    []byte
	UsageCount int64     // as the file records it
	LastUsedAt Timestamp // as the file records it
	ID         ID
	SourceHash Fingerprint
	Categories []string

	Title           string
	Body            Body
	Priority        int
	Audience        Audience
	Requirement     Requirement
	DeprecatedBy    string
	Supersedes      string
	UpdatedAt       Timestamp
	SemanticSummary string
	ContentType     string
	Load            LoadMode
	Status          Status
	Origin          Origin

	hash *lazyHash // shared by its parts
}

// lazyHash is the hash of an entry, computed when it is first needed.
type lazyHash struct {
	once  sync.Once
	value Fingerprint
}

// NewEntry makes an entry of an instruction whose fields have been checked. It
// derives what follows from them, sourceHash and riskScore, and encodes the
// whole as JSON, once.
func NewEntry(i Instruction, from Origin) *Entry {
	names := string(i.ID) + string(FingerprintOf(i.Body)) // in one piece: whoever asks for the one asks for the other
	i.ID, i.SourceHash = ID(names[:len(i.ID)]), Fingerprint(names[len(i.ID):])
	i.RiskScore = i.riskScore()
	if i.Categories == nil {
		i.Categories = []string{}
	}
	e := &Entry{
		ID: i.ID, Title: i.Title, Priority: i.Priority, Audience: i.Audience, Requirement: i.Requirement,
		Categories: i.Categories, SourceHash: i.SourceHash, DeprecatedBy: i.DeprecatedBy, Supersedes: i.Supersedes, UpdatedAt: i.UpdatedAt,
		UsageCount: i.UsageCount, LastUsedAt: i.LastUsedAt, SemanticSummary: i.SemanticSummary, ContentType: i.ContentType,
		Load: i.Load, Status: i.Status,
		Origin: from, hash: new(lazyHash),
	}
	if from.RecordedHash == string(e.SourceHash) { // as nearly always: it is in memory once
		e.Origin.RecordedHash = string(e.SourceHash)
	}
	if from.SpelledID == string(e.ID) {
		e.Origin.SpelledID = string(e.ID)
	}
	e.encode(&i)
	return e
}

// encode sets the entry's JSON, and the body in it. The body, which is nearly all of
// the JSON, is inserted into what encoding/json makes of the rest.
func (e *Entry) encode(i *Instruction) {
	text := i.Body
	i.Body, i.UsageCount, i.LastUsedAt = "", 0, "" // see Encoded
	rest := jsonscan.MustEncode(i)
	const member = `"body":""` // a text that has it before has its quotes escaped
	start := bytes.Index(rest, []byte(member)) + len(member) - len(`""`)
	encoded := make([]byte, 0, len(rest)+len(text)+len(text)/16) // for what is escaped
	encoded = jsonscan.AppendString(append(encoded, rest[:start]...), []byte(text))
	e.Body = Body(encoded[start:len(encoded):len(encoded)])
	e.encoded = append(encoded, rest[start+len(`""`):]...)
}

// Instruction returns all fields of the entry. They are decoded anew each time.
func (e *Entry) Instruction() Instruction {
	i := Instruction{UsageCount: e.UsageCount, LastUsedAt: e.LastUsedAt}
	if err := json.Unmarshal(e.encoded, &i); err != nil {
		panic("catalog: an entry's JSON is none: " + err.Error())
	}
	return i
}

// Hash returns the entry's entryHash: the SHA-256 of its JSON as it is served, with
// sourceHash standing for the body, and without usageCount, lastUsedAt, and any
// createdAt or updatedAt that was taken from the file system. The first call computes
// it.
func (e *Entry) Hash() Fingerprint {
	e.hash.once.Do(func() {
		e.hash.value = FingerprintOf(string(e.rewrite(make([]byte, 0, 1024), func(name Field, value []byte) []byte {
			if name == "body" || e.Origin.timed(name) {
				return nil
			}
			return value
		})))
	})
	return e.hash.value
}

// Same reports whether two entries are equal, including where they came from.
func (e *Entry) Same(other *Entry) bool {
	return bytes.Equal(e.encoded, other.encoded) && e.UsageCount == other.UsageCount && e.LastUsedAt == other.LastUsedAt &&
		reflect.DeepEqual(e.Origin, other.Origin)
}

// Part returns the entry as it is served, with a part of its body: up to limit code
// points (0 for all that follow) from offset, which counts from 0. Everything else is
// that of the whole entry, including SourceHash. The offset must be less than
// [Body.Length], which is never 0.
func (e *Entry) Part(offset, limit int) *Entry {
	text := e.Body.Text()
	text = text[skip(text, offset):]
	if limit > 0 {
		text = text[:skip(text, limit)]
	}
	part := *e
	part.encoded = e.rewrite(nil, func(name Field, value []byte) []byte {
		if name == "body" {
			return jsonscan.MustEncode(text)
		}
		return value
	})
	part.Body = Body(part.Field("body"))
	return &part
}

// skip returns the number of bytes in the first n code points of a text, or in all of
// it if there are fewer.
func skip(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// Origin is where an entry came from and what its file says that the contract
// does not serve.
type Origin struct {
	Path         string // within the catalog, with slashes; of a bundle its name
	Line         int    // in a bundle, from 1; 0 for an entry with a file of its own
	BodyLine     int    // in its file, from 1, where its body begins, or in JSON the member of it
	Format       string // "json", "markdown", or the kind of an agent's file, such as "claude-rule"
	SpelledID    string // the id as the file writes it
	RecordedHash string // the sourceHash that the file records, "" if none
	Scope        *Scope // the files that the entry is for; nil for all

	// Whether the file does not give this time, so that its modification time is
	// used.
	CreatedWithFile, UpdatedWithFile bool
}

// OfAgent reports whether the entry is in a file that an agent loads itself.
func (o Origin) OfAgent() bool { return o.Format != "json" && o.Format != "markdown" }

// timed reports whether a field holds the file's modification time, which differs
// between copies of the file.
func (o Origin) timed(f Field) bool {
	return f == "createdAt" && o.CreatedWithFile || f == "updatedAt" && o.UpdatedWithFile
}

// FirstLine returns the line, from 1, that an editor goes to in order to show the
// entry: in a bundle its line, in a file of its own where its body begins.
func (o Origin) FirstLine() int { return max(cmp.Or(o.Line, o.BodyLine), 1) }

// String returns the path, and the line where there is one: path:line.
func (o Origin) String() string {
	if o.Line == 0 {
		return o.Path
	}
	return o.Path + ":" + strconv.Itoa(o.Line)
}
