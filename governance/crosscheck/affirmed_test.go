package crosscheck

import (
	"strings"
	"testing"

	"instruction-catalog/catalog"
)

// Each denial is held against the affirmations of all entries, so that of one entry
// that says the same a thousand times, one has to do.
func TestAffirmedOnceByEach(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("Always use tabs.\n", 1000) + "Never use tabs.\n"
	texts := []entryText{{new(catalog.Entry), body}, {new(catalog.Entry), body}}
	for about, all := range affirmationsIn(texts, denialsIn(texts)) {
		if about != "use tabs" || len(all) != 2 || all[0].by != texts[0].Entry || all[1].by != texts[1].Entry || all[1].line != 1 {
			t.Errorf("%q is affirmed %d times", about, len(all))
		}
	}
}
