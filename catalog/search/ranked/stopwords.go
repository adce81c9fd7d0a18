package ranked

import (
	"strings"
	"sync"
)

// stopWords returns the English words that hold a sentence together but do not indicate its
// subject, and the fragments into which an apostrophe splits some of them. The index ignores
// them in documents and in queries. It keeps the stop words of other languages, which weigh
// little if they are frequent.
var stopWords = sync.OnceValue(func() map[string]bool {
	const list = `
		a about am an and are as at be been being but by can could d did do does doing done don else etc ever for from
		had has have having he her hers him his how i if in into is it its ll let m me mine my need no nor not now of off
		on onto or our ours please re s shall she should so some such t than that the their theirs them then there these
		they this those though to too upon us ve via want was we were what whatever when where whether which while who
		whom whose why will with within would yet you your yours`
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
})
