package instructions

import (
	"slices"
	"strconv"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/usage"
	"instruction-catalog/rpc"
	"instruction-catalog/schemas/jsonscan"
)

// served is the form of an entry that may have what only those get who ask for it.
type served struct {
	catalog.Instruction
	EntryHash catalog.Fingerprint `json:"entryHash,omitempty"`
	Origin    *origin             `json:"origin,omitempty"`
}

// origin is where an entry stands, for whoever wants to open it.
type origin struct {
	Path   string `json:"path"` // within the catalog's folder, with slashes
	Line   int    `json:"line"` // from 1
	Format string `json:"format"`
}

func originOf(e *catalog.Entry) *origin {
	return &origin{Path: e.Origin.Path, Line: e.Origin.FirstLine(), Format: e.Origin.Format}
}

// item is an entry on its way out, with its usage at this moment. Everything
// but the usage was encoded when the catalog was loaded.
type item struct {
	entry  *catalog.Entry
	use    usage.Use
	fields []catalog.Field // what to serve of it; nil for all
	hashed bool            // whether it has its entryHash in any case
}

// Shape implements rpc.Shaped.
func (*item) Shape() any { return served{} }

// EncodeJSON implements rpc.Encoder.
func (i *item) EncodeJSON() rpc.JSON { return i.appendTo(nil, nil) }

// appendTo appends the object, with further members if any, each after a comma.
// One that was never used is a single piece, and not even that is made here.
func (i *item) appendTo(dst rpc.JSON, further []byte) rpc.JSON {
	object := i.entry.Encoded()
	if i.fields != nil {
		object = i.entry.Project(i.fields)
	}
	members := append(i.appendAsked(i.appendUsage(nil)), further...)
	if len(members) == 0 {
		return append(dst, object)
	}
	return append(dst, object[:len(object)-len("}")], append(members, '}'))
}

func (i *item) appendUsage(dst []byte) []byte {
	if i.use.Count > 0 && i.serves("usageCount") {
		dst = strconv.AppendInt(append(dst, `,"usageCount":`...), i.use.Count, 10)
	}
	if i.use.LastUsedAt != "" && i.serves("lastUsedAt") {
		dst = strconv.AppendQuote(append(dst, `,"lastUsedAt":`...), string(i.use.LastUsedAt))
	}
	return dst
}

// appendAsked appends what is served only where it is asked for by name.
func (i *item) appendAsked(dst []byte) []byte {
	if i.hashed || slices.Contains(i.fields, "entryHash") {
		dst = strconv.AppendQuote(append(dst, `,"entryHash":`...), string(i.entry.Hash()))
	}
	if slices.Contains(i.fields, "origin") {
		dst = append(append(dst, `,"origin":`...), jsonscan.MustEncode(originOf(i.entry))...)
	}
	return dst
}

func (i *item) serves(f catalog.Field) bool {
	return i.fields == nil || slices.Contains(i.fields, f)
}

// items is an array of entries.
type items struct {
	entries []*catalog.Entry
	fields  []catalog.Field
	hashed  bool // as in item
	uses    *usage.Counter
	further func(n int) []byte // further members of the nth item, each after a comma; nil for none
}

// Shape implements rpc.Shaped.
func (*items) Shape() any { return []served{} }

// EncodeJSON implements rpc.Encoder.
func (s *items) EncodeJSON() rpc.JSON {
	array := append(make(rpc.JSON, 0, 2*len(s.entries)+2), []byte("["))
	comma := []byte(",")
	s.uses.Read(func(uses usage.Uses) {
		for n, e := range s.entries {
			if n > 0 {
				array = append(array, comma)
			}
			var further []byte
			if s.further != nil {
				further = s.further(n)
			}
			one := item{entry: e, use: uses.Of(e), fields: s.fields, hashed: s.hashed}
			array = one.appendTo(array, further)
		}
	})
	return append(array, []byte("]"))
}

// listing is what list and search answer.
type listing struct {
	Hash       catalog.Fingerprint `json:"hash"`
	Revision   catalog.Fingerprint `json:"revision,omitempty"` // where it is wanted
	Count      *int                `json:"count,omitempty"`    // of all matches, whatever the limit; where it is wanted
	Items      *items              `json:"items"`
	NextCursor catalog.Cursor      `json:"nextCursor,omitempty"`
}

// EncodeJSON implements rpc.Encoder.
func (l listing) EncodeJSON() rpc.JSON {
	return pageJSON(l.Hash, l.Revision, l.Count, l.Items, l.NextCursor)
}

// pageJSON encodes what list and search answer.
func pageJSON(hash, revision catalog.Fingerprint, count *int, items rpc.Encoder, next catalog.Cursor) rpc.JSON {
	var o rpc.Object
	addHashes(&o, hash, revision)
	if count != nil {
		o.Add("count", *count)
	}
	o.Add("items", items)
	if next != "" {
		o.Add("nextCursor", next)
	}
	return o.JSON()
}

// addHashes adds the hash of a catalog, and its revision where that is wanted.
func addHashes(o *rpc.Object, hash, revision catalog.Fingerprint) {
	o.Add("hash", hash)
	if revision != "" {
		o.Add("revision", revision)
	}
}

// view is the params that list and search share: which entries to answer with,
// and what of each.
type view struct {
	Requirement catalog.Requirement `json:"requirement"`
	Audience    catalog.Audience    `json:"audience"`
	AppliesTo   string              `json:"appliesTo"`
	Fields      []catalog.Field     `json:"fields"`
	Limit       rpc.Integer         `json:"limit"`
	Cursor      catalog.Cursor      `json:"cursor"`
	Count       *bool               `json:"count"` // nil for true
	Revision    bool                `json:"revision"`
}

func (v view) filter() catalog.Filter {
	return catalog.Filter{Requirement: v.Requirement, Audience: v.Audience, AppliesTo: v.AppliesTo}
}

// revision returns the snapshot's where it is wanted, and else none.
func (v view) revision(s *catalog.Snapshot) catalog.Fingerprint {
	if !v.Revision {
		return ""
	}
	return s.Revision()
}

func (v view) counts() bool { return v.Count == nil || *v.Count }

// counted returns the count where it is wanted, and else nil.
func (v view) counted(count int) *int {
	if !v.counts() {
		return nil
	}
	return &count
}

// page answers with the entries that contain the text and pass the filter.
func (t *Toolset) page(s *catalog.Snapshot, text string, f catalog.Filter, v view) (listing, error) {
	page, err := s.Find(catalog.Query{Text: text, Filter: f, Limit: int(v.Limit), After: v.Cursor, Count: v.counts()})
	if err != nil {
		return listing{}, rpc.BadParam("cursor", err.Error())
	}
	return listing{
		Hash: s.Hash(), Revision: v.revision(s), Count: v.counted(page.Count),
		Items: t.items(page.Entries, v.Fields), NextCursor: page.Next,
	}, nil
}

func (t *Toolset) items(entries []*catalog.Entry, fields []catalog.Field) *items {
	return &items{entries: entries, fields: fields, uses: t.uses}
}
