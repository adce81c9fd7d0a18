package search

import (
	"strings"
	"testing"
)

// Where the ends are right everywhere, the first place is still the one that is
// found, whether in time or after the search has lost patience.
func TestSpellingIndexLosesPatience(t *testing.T) {
	t.Parallel()
	same := strings.Repeat("q", patience/2)
	short := strings.Repeat("q", patience*3/5) + "eqq"
	for _, text := range []string{
		"", "q", "qQq" + short, "qQq" + strings.ToUpper(short) + "a few more", same, strings.ToUpper(same),
		same + "EQ",
		same + same + "Eq" + same + same,
		same + same + "K" + same + "eQ" + same + "\u00e9",
		strings.Repeat("Qe", patience) + strings.Repeat("qE@[`{", patience),
	} {
		for _, needle := range []string{
			"q", "qeq", "qq", same + "eq", same[1:] + "eq" + same, same + "e" + same + "q", "e@[`{qe@", same + same + same, short,
		} {
			s := newSpelling([]byte(needle))
			if got, want := s.index(text), strings.Index(strings.ToLower(text), needle); got != want {
				t.Errorf("index(%.10q, %d bytes) of %.10q, %d bytes = %d, want %d", text, len(text), needle, len(needle), got, want)
			}
			for from := range min(len(text), 3) {
				want := strings.Index(strings.ToLower(text[from:]), needle)
				if want >= 0 {
					want += from
				}
				if got := s.indexSteadily(text, from); got != want {
					t.Errorf("indexSteadily(%.10q, %d bytes, from %d) of %.10q, %d bytes = %d, want %d",
						text, len(text), from, needle, len(needle), got, want)
				}
			}
		}
	}
}
