package catalog

import (
	"cmp"
	"strconv"
)

// AppendRecord appends the entry as one line of JSON in the form of an
// instruction file. Whoever reads it as such gets the same entry: the id stands
// as its file spells it, usage as recorded there, and the hash, too, else the
// computed one.
func (e *Entry) AppendRecord(dst []byte) []byte {
	recorded := *e
	recorded.ID = ID(cmp.Or(e.Origin.SpelledID, string(e.ID)))
	recorded.SourceHash = Fingerprint(e.expected())
	dst = recorded.appendMembers(dst, func(Field) bool { return true })
	if e.UsageCount != 0 {
		dst = strconv.AppendInt(append(dst, `,"usageCount":`...), e.UsageCount, 10)
	}
	if e.LastUsedAt != "" {
		dst = appendString(append(dst, `,"lastUsedAt":`...), e.LastUsedAt)
	}
	return append(dst, '}')
}
