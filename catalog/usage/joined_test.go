package usage

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"instruction-catalog/catalog"
)

// track counts uses of a and b.
func track(t *testing.T, path string, compactAfter int, entries ...*catalog.Entry) {
	t.Helper()
	c, said := open(t, path)
	c.journal.compactAfter = compactAfter
	for _, e := range entries {
		c.Track(e, Kind{Action: Applied}, noon, nil)
	}
	if said.Len() > 0 {
		t.Error(said)
	}
}

const never = 1 << 30 // records until a journal is compacted

// TestJoinedAroundCompaction copies a journal, writes to both copies, compacts either
// of them, and appends one to the other. Each use must count once.
func TestJoinedAroundCompaction(t *testing.T) {
	t.Parallel()
	const before, between, after = 0, 1, 2 // the copy is made, the journals are joined
	for _, one := range [][]int{{}, {before}, {between}, {before, between}} {
		for _, two := range [][]int{{}, {between}} {
			for _, serving := range []bool{false, true} {
				name := fmt.Sprint(one, two, serving)
				path := journalPath(t)
				copied := path + ".copy"
				at := func(compactions []int, when int) int {
					for _, c := range compactions {
						if c == when {
							return 0
						}
					}
					return never
				}
				track(t, path, never, a, a, a, b)
				track(t, path, at(one, before), b, a)
				rewrite(t, copied, readAll(t, path))
				track(t, path, at(one, between), a, b, b)
				track(t, copied, at(two, between), b, a, a, a)
				server, _ := open(t, path)
				if serving {
					counts(t, server, 5, 4)
				}
				rewrite(t, path, readAll(t, path)+readAll(t, copied))
				works(t, path, 8, 5) // and one more use of b
				if serving {
					counts(t, server, 8, 6)
				}
				track(t, path, 0, a, b) // compacts
				rewrite(t, path, readAll(t, path)+readAll(t, copied))
				works(t, path, 9, 7)
				if t.Failed() {
					t.Fatalf("%s: %s", name, readAll(t, path))
				}
			}
		}
	}
}

// TestSeveralServersJoined has two counters write while either of them compacts their
// journal, and then appends an older copy of the journal.
func TestSeveralServersJoined(t *testing.T) {
	t.Parallel()
	path := journalPath(t)
	one, _ := open(t, path)
	two, _ := open(t, path)
	two.journal.compactAfter = 5
	var copied string
	for i := range 60 {
		one.Track(a, Kind{}, noon, nil)
		two.Track(b, Kind{}, noon, nil)
		two.Track(a, Kind{}, noon, nil)
		if i == 20 {
			copied = readAll(t, path)
		}
	}
	rewrite(t, path, readAll(t, path)+copied)
	counts(t, one, 120, 60)
	rewrite(t, path, copied+readAll(t, path))
	works(t, path, 120, 60)
}

// TestManySums checks that a journal with too many sums keeps one per entry.
func TestManySums(t *testing.T) {
	t.Parallel()
	c := newContents(header{}, 0)
	for i := range maxSums + 1 {
		line, err := appendLine(nil, record{Writer: fmt.Sprint(i), Number: 1, ID: a.ID, Totals: Kind{}.one(noon)})
		if err != nil {
			t.Fatal(err)
		}
		c.add(line)
		if i == maxSums-1 && len(c.compacted()) != maxSums {
			t.Errorf("%d sums became %d records", i+1, len(c.compacted()))
		}
	}
	if records := c.compacted(); len(records) != 1 || records[0].Count != maxSums+1 || records[0].Sum {
		t.Errorf("%d records", len(records))
	}
}

func readAll(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestLockHeld checks a use while another process holds the lock. The use is counted,
// the caller is told once that it is delayed, and the answer says that the count is in
// memory. Nothing else waits. The count is written when the lock is free.
func TestLockHeld(t *testing.T) {
	t.Parallel()
	path, _ := written(t)
	c, said := open(t, path)
	c.timeout = 100 * time.Millisecond
	unlock, err := c.journal.lock(nil)
	if err != nil {
		t.Fatal(err)
	}
	for n := range int64(3) {
		delayed := 0
		got := c.Track(b, Kind{}, noon, func() { delayed++; counts(t, c, 3, n+2) })
		if got.Count != n+2 || !got.InMemory || delayed != 1 {
			t.Errorf("answered %+v, delayed %d times", got, delayed)
		}
	}
	if s := c.Status(); s.Failure == nil || strings.Count(said.String(), "counts continue in memory") != 1 {
		t.Errorf("status %+v, logged %s", s, said)
	}
	other, _ := open(t, path)
	counts(t, other, 3, 1)
	c.timeout = time.Hour
	answered := make(chan Tracked)
	go func() { answered <- c.Track(b, Kind{}, noon, func() { unlock() }) }()
	if got := <-answered; got.Count != 5 || got.InMemory {
		t.Errorf("answered %+v when the lock was free", got)
	}
	counts(t, other, 3, 5)
	if s := c.Status(); s.Failure != nil {
		t.Errorf("status %+v", s)
	}
	works(t, path, 3, 5)
}

// TestClosedWhileLocked checks that Close gives up on a lock that is held for long.
func TestClosedWhileLocked(t *testing.T) {
	t.Parallel()
	path, _ := written(t)
	c, said := open(t, path)
	c.timeout = time.Millisecond
	unlock, err := c.journal.lock(nil)
	if err != nil {
		t.Fatal(err)
	}
	c.Track(b, Kind{}, noon, nil)
	if err := c.Close(); err != nil || !strings.Contains(said.String(), "could not be kept") {
		t.Errorf("closed with %v, logged %s", err, said)
	}
	unlock()
	for other, _ := open(t, path); other.Of(b).Count != 2; { // before its folder is removed
		time.Sleep(time.Millisecond)
	}
}
