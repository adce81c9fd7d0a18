package main

import (
	"strings"
	"testing"
	"time"
)

// If no progress bar is shown, progress is printed from time to time.
func TestTelling(t *testing.T) {
	t.Parallel()
	var stderr strings.Builder
	now := time.Unix(0, 0)
	tell := (&app{stderr: &stderr}).telling(func() time.Time { return now })
	for done := range 10 {
		tell(done, 10, "the next")
		now = now.Add(tellInterval / 2)
	}
	want := `catalog: step 3 of 10 after 15 seconds, about 60 seconds more: the next
catalog: step 5 of 10 after 30 seconds, about 45 seconds more: the next
catalog: step 7 of 10 after 45 seconds, about 30 seconds more: the next
catalog: step 9 of 10 after 60 seconds, about 15 seconds more: the next
`
	if stderr.String() != want {
		t.Errorf("told:\n%swant:\n%s", &stderr, want)
	}
}
