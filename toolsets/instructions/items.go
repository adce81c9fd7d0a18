package instructions

import (
	"fmt"
	"slices"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/usage"
	"instruction-catalog/rpc"
)

// item is an entry on its way out, with its usage at this moment. Everything
// but the usage was encoded when the catalog was loaded.
type item struct {
	entry  *catalog.Entry
	use    usage.Use
	fields []catalog.Field // what to serve of it; nil for all
}

// Shape implements rpc.Shaped.
func (*item) Shape() any { return catalog.Entry{} }

// EncodeJSON implements rpc.Encoder.
func (i *item) EncodeJSON() rpc.JSON { return i.appendTo(nil, "}") }

// appendTo appends the object, ending in the given closing.
func (i *item) appendTo(dst rpc.JSON, closing string) rpc.JSON {
	object := i.entry.Encoded()
	if i.fields != nil {
		object = i.entry.Project(i.fields)
	}
	dst = append(dst, object)
	return append(dst, []byte(i.usage()+closing))
}

func (i *item) usage() string {
	var members string
	if i.use.Count > 0 && i.serves("usageCount") {
		members = fmt.Sprintf(`,"usageCount":%d`, i.use.Count)
	}
	if i.use.LastUsedAt != "" && i.serves("lastUsedAt") {
		members += fmt.Sprintf(`,"lastUsedAt":%q`, i.use.LastUsedAt)
	}
	return members
}

func (i *item) serves(f catalog.Field) bool {
	return i.fields == nil || slices.Contains(i.fields, f)
}

// items is an array of entries.
type items struct {
	entries []*catalog.Entry
	fields  []catalog.Field
	uses    *usage.Counter
	more    func(n int) string // further members of the nth item, each after a comma; nil for none
}

// Shape implements rpc.Shaped.
func (*items) Shape() any { return []catalog.Entry{} }

// EncodeJSON implements rpc.Encoder.
func (s *items) EncodeJSON() rpc.JSON {
	array := make(rpc.JSON, 0, 2*len(s.entries)+2)
	array = append(array, []byte("["))
	for n, e := range s.entries {
		closing := "},"
		if n == len(s.entries)-1 {
			closing = "}"
		}
		if s.more != nil {
			closing = s.more(n) + closing
		}
		i := item{entry: e, use: s.uses.Of(e), fields: s.fields}
		array = i.appendTo(array, closing)
	}
	return append(array, []byte("]"))
}

// listing is what list and search answer.
type listing struct {
	Hash       catalog.Fingerprint `json:"hash"`
	Count      int                 `json:"count"` // of all matches, whatever the limit
	Items      *items              `json:"items"`
	NextCursor catalog.Cursor      `json:"nextCursor,omitempty"`
}

// view is the params that list and search share: which entries to answer with,
// and what of each.
type view struct {
	Requirement catalog.Requirement `json:"requirement"`
	Audience    catalog.Audience    `json:"audience"`
	Fields      []catalog.Field     `json:"fields"`
	Limit       rpc.Integer         `json:"limit"`
	Cursor      catalog.Cursor      `json:"cursor"`
}

func (v view) filter() catalog.Filter {
	return catalog.Filter{Requirement: v.Requirement, Audience: v.Audience}
}

// page makes the listing of the matches.
func (t *Toolset) page(s *catalog.Snapshot, matches []*catalog.Entry, v view) (listing, error) {
	shown, next, err := s.Page(matches, int(v.Limit), v.Cursor)
	if err != nil {
		return listing{}, rpc.BadParam("cursor", err.Error())
	}
	return listing{Hash: s.Hash(), Count: len(matches), Items: t.items(shown, v.Fields), NextCursor: next}, nil
}

func (t *Toolset) items(entries []*catalog.Entry, fields []catalog.Field) *items {
	return &items{entries: entries, fields: fields, uses: t.uses}
}
