package crosscheck

import (
	"strings"
	"testing"

	"instruction-catalog/catalog"
)

// TestAffirmedOnceByEach checks that an entry that affirms the same a thousand times
// is recorded once. Each denial is compared with the affirmations of all entries.
func TestAffirmedOnceByEach(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("Always use tabs.\n", 1000) + "Never use tabs.\n"
	texts := []entryText{{new(catalog.Entry), body}, {new(catalog.Entry), body}}
	bearings := []*bearing{bearingOf(texts[0].Entry), bearingOf(texts[1].Entry)}
	denials, _ := sayingsIn(texts, bearings)
	for about, all := range affirmationsIn(texts, bearings, denials) {
		if about != "use tabs" || len(all) != 2 || all[0].by != bearings[0] || all[1].by != bearings[1] || all[1].line != 1 {
			t.Errorf("%q is affirmed %d times", about, len(all))
		}
	}
}
