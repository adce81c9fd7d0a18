package instructions

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/usage"
	"instruction-catalog/governance/sum"
	"instruction-catalog/rpc"
	"instruction-catalog/schemas/jsonscan"
)

// served is the JSON form of an entry, with the fields that are served only on request.
type served struct {
	catalog.Instruction
	EntryHash catalog.Fingerprint `json:"entryHash,omitempty"`
	Origin    *origin             `json:"origin,omitempty"`
	Approval  sum.Approval        `json:"approval,omitempty"`
	Applies   *catalog.Applies    `json:"applies,omitempty"`
}

// origin locates an entry, for a client that wants to open its file.
type origin struct {
	Path   string   `json:"path"` // within the catalog's folder, with slashes
	Line   int      `json:"line"` // from 1
	Format string   `json:"format"`
	Links  []string `json:"links,omitempty"` // symbolic links to the file that are entries, too
}

func originOf(s *catalog.Snapshot, e *catalog.Entry) *origin {
	return &origin{Path: e.Origin.Path, Line: e.Origin.FirstLine(), Format: e.Origin.Format, Links: s.Links(e)}
}

// item is an entry to be encoded, with its current usage. The rest of the entry was
// encoded when the catalog was loaded.
type item struct {
	from   *catalog.Snapshot
	entry  *catalog.Entry
	use    usage.Use
	fields []catalog.Field // the fields to serve; nil for all
	hashed bool            // whether to add the entryHash even if fields omits it
	file   string          // the file that the entry should apply to; "" if none
}

// Shape implements rpc.Shaped.
func (*item) Shape() any { return served{} }

// EncodeJSON implements rpc.Encoder.
func (i *item) EncodeJSON() rpc.JSON { return i.appendTo(nil, nil) }

// appendTo appends the object to dst, including the members in further, each of which
// starts with a comma. If an entry has no usage, no requested extra fields and no
// further members, appendTo appends the encoded entry without copying it.
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

// appendAsked appends the fields that are served only if requested by name.
func (i *item) appendAsked(dst []byte) []byte {
	if i.hashed || slices.Contains(i.fields, "entryHash") {
		dst = strconv.AppendQuote(append(dst, `,"entryHash":`...), string(i.entry.Hash()))
	}
	if slices.Contains(i.fields, "origin") {
		dst = append(append(dst, `,"origin":`...), jsonscan.MustEncode(originOf(i.from, i.entry))...)
	}
	if slices.Contains(i.fields, "approval") {
		if approval := sum.ApprovalOf(i.entry); approval != sum.NoApproval {
			dst = strconv.AppendQuote(append(dst, `,"approval":`...), string(approval))
		}
	}
	if i.file != "" && slices.Contains(i.fields, "applies") {
		if why, ok := i.entry.AppliesTo(i.file); ok {
			dst = append(append(dst, `,"applies":`...), jsonscan.MustEncode(why)...)
		}
	}
	return dst
}

func (i *item) serves(f catalog.Field) bool {
	return i.fields == nil || slices.Contains(i.fields, f)
}

// items is an array of entries.
type items struct {
	from    *catalog.Snapshot
	entries []*catalog.Entry
	fields  []catalog.Field
	hashed  bool   // as in item
	file    string // as in item
	uses    *usage.Counter
	also    catalog.Duplicates // the entries merged into each entry
	further func(n int) []byte // returns more members of the nth item, each preceded by a comma; nil if none
}

// Shape implements rpc.Shaped.
func (*items) Shape() any { return []served{} }

// EncodeJSON implements rpc.Encoder.
func (s *items) EncodeJSON() rpc.JSON {
	const around = 4 // slices for the two brackets and for members added to a few entries
	array := append(make(rpc.JSON, 0, 2*len(s.entries)+around), []byte("["))
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
			one := item{from: s.from, entry: e, use: uses.Of(e), fields: s.fields, hashed: s.hashed, file: s.file}
			array = one.appendTo(array, further)
		}
	})
	return append(array, []byte("]"))
}

// size returns an upper bound for the size of the array in bytes, and how many of those
// bytes are newly allocated. Entries served with selected fields are copied; whole
// entries are not.
func (s *items) size() (total, made int) {
	if s == nil {
		return 0, 0
	}
	const around = 64 // upper bound for the members added to an entry, in bytes
	whole := s.fields == nil
	for _, e := range s.entries {
		total += len(e.Encoded()) + around
		if !whole && !slices.Contains(s.fields, "body") {
			total -= len(e.Body)
		}
	}
	if whole {
		return total, around * len(s.entries)
	}
	return total, total
}

// answer holds the members that list and search return besides the items.
type answer struct {
	Hash       catalog.Fingerprint `json:"hash"`
	Revision   catalog.Fingerprint `json:"revision,omitempty"` // set if requested
	Count      *int                `json:"count,omitempty"`    // all matches, regardless of the limit; nil if not requested
	NextCursor catalog.Cursor      `json:"nextCursor,omitempty"`
	Nearest    []string            `json:"nearest,omitempty"` // categories similar to an unknown one; set if requested

	instead []string // as Nearest, but for the text form
}

// with encodes the answer together with items.
func (a answer) with(items rpc.Encoder) *rpc.Object {
	o := new(rpc.Object)
	addHashes(o, a.Hash, a.Revision)
	if a.Count != nil {
		o.Add("count", *a.Count)
	}
	o.Add("items", items)
	if a.NextCursor != "" {
		o.Add("nextCursor", a.NextCursor)
	}
	if len(a.Nearest) > 0 {
		o.Add("nearest", a.Nearest)
	}
	return o
}

// addHashes adds the catalog hash, and the revision unless it is empty.
func addHashes(o *rpc.Object, hash, revision catalog.Fingerprint) {
	o.Add("hash", hash)
	if revision != "" {
		o.Add("revision", revision)
	}
}

// view holds the params that list and search share: which entries to return and which of
// their fields.
type view struct {
	Category    string              `json:"category"`
	Requirement catalog.Requirement `json:"requirement"`
	Audience    catalog.Audience    `json:"audience"`
	Status      catalog.Status      `json:"status"`
	AppliesTo   string              `json:"appliesTo"`
	Agent       string              `json:"agent"`
	Fields      []catalog.Field     `json:"fields"`
	Sort        catalog.Sort        `json:"sort"`
	Limit       rpc.Integer         `json:"limit"`
	Cursor      catalog.Cursor      `json:"cursor"`
	Count       *bool               `json:"count"` // nil for true
	Revision    bool                `json:"revision"`
	Nearest     bool                `json:"nearest"`

	merge bool // whether to merge entries with equal bodies; set only by search
}

func (v view) filter(s *catalog.Snapshot) (catalog.Filter, error) {
	f := catalog.Filter{
		Category: v.Category, Requirement: v.Requirement, Audience: v.Audience, Status: v.Status, AppliesTo: v.AppliesTo,
	}
	var err error
	if v.Agent != "" {
		f.Only, err = readBy(v.Agent, s)
	}
	return f, err
}

// inRepository validates AppliesTo, which must be a path relative to the top of the
// repository. It converts an absolute path within the catalog's folder to a relative
// one. It rejects any other path: no glob would match it, so only entries that are
// always loaded would be returned, as if they were all that applies.
func (t *Toolset) inRepository(v *view) error {
	name := v.AppliesTo
	switch {
	case strings.Contains(name, "://"): // rejected below
	case name == "" || filepath.IsLocal(name):
		return nil
	case filepath.IsAbs(name):
		top, err := filepath.Abs(t.config.Dir)
		if err != nil {
			return err
		}
		if within, err := filepath.Rel(top, name); err == nil && filepath.IsLocal(within) {
			v.AppliesTo = filepath.ToSlash(within)
			return nil
		}
	}
	return rpc.BadParam("appliesTo", "is not a path within the catalog's folder: name the file relative to the top of the repository, such as src/app.ts")
}

// answer returns the members besides the items. count is the number of all matches and
// shown the number on the page.
func (v view) answer(s *catalog.Snapshot, count, shown int, next catalog.Cursor) answer {
	a := answer{Hash: s.Hash(), Count: v.counted(count), NextCursor: next}
	if v.Revision {
		a.Revision = s.Revision()
	}
	if v.Category != "" && shown == 0 {
		a.instead = nearestCategories(s, v.Category)
	}
	if v.Nearest {
		a.Nearest = a.instead
	}
	return a
}

func (v view) counts() bool { return v.Count == nil || *v.Count }

// counted returns a pointer to count, or nil if the count is not requested.
func (v view) counted(count int) *int {
	if !v.counts() {
		return nil
	}
	return &count
}

// page finds the entries that contain text and pass the filter. It returns one page of
// them, and the answer to send with it.
func (t *Toolset) page(s *catalog.Snapshot, text string, f catalog.Filter, v view) (answer, *items, error) {
	page, err := s.Find(catalog.Query{
		Text: text, Filter: f, Sort: v.Sort, Limit: int(v.Limit), After: v.Cursor, Count: v.counts(), Merge: v.merge,
	})
	if err != nil {
		return answer{}, nil, rpc.BadParam("cursor", err.Error())
	}
	items := t.items(s, page.Entries, v)
	items.also = page.Duplicates
	return v.answer(s, page.Count, len(page.Entries), page.Next), items, nil
}

func (t *Toolset) items(s *catalog.Snapshot, entries []*catalog.Entry, v view) *items {
	return &items{from: s, entries: entries, fields: v.Fields, uses: t.uses, file: v.AppliesTo}
}
