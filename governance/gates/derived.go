package gates

import (
	"instruction-catalog/catalog"
	"instruction-catalog/governance/sum"
)

// The values of the derived field successor.
const (
	successorLiving = "living" // deprecatedBy names an entry that is not deprecated
	successorDead   = "dead"   // deprecatedBy names a deprecated entry, or an id that does not exist
	successorNone   = "none"   // there is no deprecatedBy
)

// derived computes the fields that are not simply read from the JSON of an entry.
var derived = map[string]func(t *Table, e *catalog.Entry, c *column, i int){
	"usageCount": func(_ *Table, e *catalog.Entry, c *column, i int) {
		if e.UsageCount > 0 { // an entry is served without the field if it is 0
			c.numbers[i] = float64(e.UsageCount)
		}
	},
	"lastUsedAt": func(_ *Table, e *catalog.Entry, c *column, i int) { c.setTime(i, e.LastUsedAt) },
	bodyTokens: func(_ *Table, e *catalog.Entry, c *column, i int) {
		const bytesOfToken = 4 // approximate, for English; other languages have more bytes per letter and fewer letters per token
		c.numbers[i] = float64((len(e.Body.Text()) + bytesOfToken - 1) / bytesOfToken)
	},
	successor: func(t *Table, e *catalog.Entry, c *column, i int) { c.setText(i, t.successorOf(e)) },
	approval:  func(_ *Table, e *catalog.Entry, c *column, i int) { c.setText(i, string(sum.ApprovalOf(e))) },
}

func (t *Table) successorOf(e *catalog.Entry) string {
	if e.DeprecatedBy == "" {
		return successorNone
	}
	next, ok := t.get(e.DeprecatedBy)
	if !ok || next.Requirement == catalog.Deprecated || next.Status == catalog.StatusDeprecated {
		return successorDead
	}
	return successorLiving
}
