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
// does not change after [NewEntry] has returned it.
type Entry struct {
	// Fields that a query reads for every entry come first, to keep them adjacent in
	// memory.
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

	hash *lazyHash // shared with the entries that Part returns
}

// lazyHash holds the hash of an entry. The hash is computed when it is first needed.
type lazyHash struct {
	once  sync.Once
	value Fingerprint
}

// NewEntry returns an entry for an instruction whose fields have been checked. It
// computes sourceHash and riskScore and encodes the entry as JSON once.
func NewEntry(i Instruction, from Origin) *Entry {
	names := string(i.ID) + string(FingerprintOf(i.Body)) // one allocation for both, because they are read together
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
	if from.RecordedHash == string(e.SourceHash) { // usually true; share the memory of SourceHash
		e.Origin.RecordedHash = string(e.SourceHash)
	}
	if from.SpelledID == string(e.ID) {
		e.Origin.SpelledID = string(e.ID)
	}
	e.encode(&i)
	return e
}

// encode sets e.encoded and e.Body, which is a part of e.encoded. The body is nearly all
// of the JSON, so encode escapes it itself and inserts it into the encoding of the other
// fields.
func (e *Entry) encode(i *Instruction) {
	text := i.Body
	i.Body, i.UsageCount, i.LastUsedAt = "", 0, "" // UsageCount and LastUsedAt are omitted, see Encoded
	rest := jsonscan.MustEncode(i)
	const member = `"body":""` // cannot occur in an earlier string, because its quotes are escaped
	start := bytes.Index(rest, []byte(member)) + len(member) - len(`""`)
	encoded := make([]byte, 0, len(rest)+len(text)+len(text)/16) // spare capacity for escapes
	encoded = jsonscan.AppendString(append(encoded, rest[:start]...), []byte(text))
	e.Body = Body(encoded[start:len(encoded):len(encoded)])
	e.encoded = append(encoded, rest[start+len(`""`):]...)
}

// Instruction returns all fields of the entry. Each call decodes them again.
func (e *Entry) Instruction() Instruction {
	i := Instruction{UsageCount: e.UsageCount, LastUsedAt: e.LastUsedAt}
	if err := json.Unmarshal(e.encoded, &i); err != nil {
		panic("catalog: entry JSON is invalid: " + err.Error())
	}
	return i
}

// Hash returns the entryHash of the entry: the SHA-256 of its JSON as served, without
// body, usageCount and lastUsedAt, and without a createdAt or updatedAt that was taken
// from the file system. The JSON contains sourceHash, which covers the body. The first
// call computes the hash.
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

// Same reports whether two entries are equal, including their Origin.
func (e *Entry) Same(other *Entry) bool {
	return bytes.Equal(e.encoded, other.encoded) && e.UsageCount == other.UsageCount && e.LastUsedAt == other.LastUsedAt &&
		reflect.DeepEqual(e.Origin, other.Origin)
}

// Part returns a copy of the entry with only a part of its body: up to limit code points
// from offset, which counts from 0. If limit is 0, the part extends to the end of the
// body. All other fields, including SourceHash, are those of the whole entry. The offset
// must be less than [Body.Length], which is never 0.
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

// skip returns the number of bytes in the first n code points of text, or len(text) if
// it has fewer.
func skip(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// Origin holds the location of an entry in the catalog, and values from its file that
// the contract does not serve.
type Origin struct {
	Path         string // relative to the catalog's folder, with slashes; for a bundle, its name
	Line         int    // in a bundle, from 1; 0 if the entry has its own file
	BodyLine     int    // line of the file, from 1, at which the body begins; in JSON, that of the body member
	Format       string // "json", "markdown", or the kind of an agent's file, such as "claude-rule"
	Target       string // the path that a symbolic link at Path leads to; "" if Path is not a link
	SpelledID    string // the id as the file spells it
	RecordedHash string // the sourceHash that the file records, or ""
	Scope        *Scope // the files that the entry applies to; nil for all

	// CreatedWithFile and UpdatedWithFile mean that the file has no createdAt or
	// updatedAt, and that its modification time is used instead.
	CreatedWithFile, UpdatedWithFile bool
}

// OfAgent reports whether the entry comes from a file that an agent loads itself.
func (o Origin) OfAgent() bool { return o.Format != "json" && o.Format != "markdown" }

// timed reports whether a field holds the file's modification time, which differs
// between copies of the file.
func (o Origin) timed(f Field) bool {
	return f == "createdAt" && o.CreatedWithFile || f == "updatedAt" && o.UpdatedWithFile
}

// FirstLine returns the line, from 1, to show for the entry in an editor. In a bundle it
// is the line of the entry, else the line at which its body begins.
func (o Origin) FirstLine() int { return max(cmp.Or(o.Line, o.BodyLine), 1) }

// String returns the path, or "path:line" for an entry of a bundle.
func (o Origin) String() string {
	if o.Line == 0 {
		return o.Path
	}
	return o.Path + ":" + strconv.Itoa(o.Line)
}
