package gates

import (
	"instruction-catalog/catalog"
	"instruction-catalog/governance/sum"
)

// The words of derived fields.
const (
	successorLiving = "living" // deprecatedBy names an entry that is not deprecated itself
	successorDead   = "dead"   // it names another, or none that is there
	successorNone   = "none"   // there is no deprecatedBy
)

// derived sets the values that no entry's JSON has.
var derived = map[string]func(t *Table, e *catalog.Entry, c *column, i int){
	"usageCount": func(_ *Table, e *catalog.Entry, c *column, i int) {
		if e.UsageCount > 0 { // 0 is not served
			c.numbers[i] = float64(e.UsageCount)
		}
	},
	"lastUsedAt": func(_ *Table, e *catalog.Entry, c *column, i int) { c.setTime(i, e.LastUsedAt) },
	bodyTokens: func(_ *Table, e *catalog.Entry, c *column, i int) {
		const bytesOfToken = 4 // about, of English; other languages have more bytes a letter and fewer letters a token
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
