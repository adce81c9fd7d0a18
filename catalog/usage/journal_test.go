package usage

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
)

// open returns a counter on the journal, and the buffer of its log.
func open(t *testing.T, path string) (*Counter, *bytes.Buffer) {
	t.Helper()
	var said bytes.Buffer
	c := Open(path, SyncAlways, slog.New(slog.NewTextHandler(&said, nil)))
	c.pause, c.idle = 0, time.Hour // tests do not wait
	return c, &said
}

func journalPath(t *testing.T) string { return filepath.Join(t.TempDir(), "state", "uses.journal") }

var a, b = entry("a", Use{}), entry("b", Use{})

// counts fails the test unless the counter has wantA uses of a and wantB of b.
func counts(t *testing.T, c *Counter, wantA, wantB int64) {
	t.Helper()
	if gotA, gotB := c.Of(a).Count, c.Of(b).Count; gotA != wantA || gotB != wantB {
		t.Errorf("a %d, b %d; want %d and %d", gotA, gotB, wantA, wantB)
	}
}

// works fails the test unless a counter on the journal has these counts and reports no
// failure.
func works(t *testing.T, path string, wantA, wantB int64) {
	t.Helper()
	c, said := open(t, path)
	counts(t, c, wantA, wantB)
	c.Track(b, Kind{}, noon, nil)
	counts(t, c, wantA, wantB+1)
	again, _ := open(t, path)
	counts(t, again, wantA, wantB+1)
	if s := c.Status(); s.Failure != nil || said.Len() > 0 {
		t.Errorf("status %+v, logged %s", s, said)
	}
}

// broken fails the test unless a counter counts in memory, says why, and leaves the
// file unchanged.
func broken(t *testing.T, path string, want error) {
	t.Helper()
	before, _ := os.ReadFile(path)
	c, said := open(t, path)
	for n := range int64(3) {
		if got := c.Track(a, Kind{}, noon, nil); got.Count != n+1 || !got.InMemory {
			t.Errorf("counted %+v, want %d in memory", got, n+1)
		}
	}
	if s := c.Status(); !errors.Is(s.Failure, want) {
		t.Errorf("failure %v, want %v", s.Failure, want)
	}
	if n := strings.Count(said.String(), "counts continue in memory"); n != 1 {
		t.Errorf("logged %d times: %s", n, said)
	}
	if err := c.Close(); err != nil || !strings.Contains(said.String(), "could not be kept") {
		t.Errorf("closed with %v, logged %s", err, said)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Errorf("the file was changed to %q", after)
	}
}

// TestShared checks that all counters see at once what one of them counts, and include
// it in their answers.
func TestShared(t *testing.T) {
	t.Parallel()
	path := journalPath(t)
	one, _ := open(t, path)
	two, _ := open(t, path)
	if one.Of(a).Count != 0 || one.Status() != (Status{Path: path}) {
		t.Errorf("before anything was counted: %+v", one.Status())
	}
	if _, err := os.Stat(filepath.Dir(path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reading made a folder: %v", err)
	}
	one.Track(a, Kind{Applied, Helpful}, noon, nil)
	if got := two.Track(a, Kind{Applied, Outdated}, noon.Add(-time.Hour), nil); got != (Tracked{Use{2, "2025-06-01T12:00:00.000Z"}, false}) {
		t.Errorf("two answers %+v", got)
	}
	two.Track(b, Kind{Retrieved, NotRelevant}, noon, nil)
	for _, c := range []*Counter{one, two} {
		counts(t, c, 2, 1)
		got := fmt.Sprint(c.Hotset([]*catalog.Entry{a, b}, 9))
		if want := "[{a {{2 2025-06-01T12:00:00.000Z} {0 2} {1 1 0}}} {b {{1 2025-06-01T12:00:00.000Z} {1 0} {0 0 1}}}]"; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
		if s := c.Status(); s.Since != "2025-06-01T12:00:00.000Z" || s.Damaged != 0 || s.Failure != nil {
			t.Errorf("status %+v", s)
		}
	}
}

// written returns a journal with three uses of a and one of b, and its lines.
func written(t *testing.T) (path string, lines []string) {
	t.Helper()
	path = journalPath(t)
	c, _ := open(t, path)
	for _, e := range []*catalog.Entry{a, a, a, b} {
		c.Track(e, Kind{}, noon, nil)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, strings.SplitAfter(strings.TrimSuffix(string(text), "\n"), "\n")
}

func rewrite(t *testing.T, path string, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestCut truncates a journal at every byte after its first line. The complete lines
// before the cut count, and counting continues.
func TestCut(t *testing.T) {
	t.Parallel()
	path, lines := written(t)
	whole := strings.Join(lines, "") + "\n"
	for length := len(lines[0]); length < len(whole); length++ {
		rewrite(t, path, whole[:length])
		works(t, path, min(3, int64(strings.Count(whole[:length], "\n")-1)), 0)
	}
}

// TestCutWhileServing truncates a journal that a counter has read further. The counter
// then has only the counts that are left.
func TestCutWhileServing(t *testing.T) {
	t.Parallel()
	path, lines := written(t)
	c, _ := open(t, path)
	counts(t, c, 3, 1)
	rewrite(t, path, lines[0]+lines[1])
	counts(t, c, 1, 0)
	c.Track(a, Kind{}, noon, nil)
	counts(t, c, 2, 0)
}

// TestDamaged changes one byte of a record. That record does not count, the others do,
// and the status reports it.
func TestDamaged(t *testing.T) {
	t.Parallel()
	path, lines := written(t)
	for i := range len(lines[2]) - 1 {
		altered := []byte(lines[2])
		altered[i] ^= 1
		if altered[i] == '\n' {
			continue // two lines then
		}
		rewrite(t, path, lines[0]+lines[1]+string(altered)+lines[3]+lines[4]+"\n")
		works(t, path, 2, 1)
		if c, _ := open(t, path); c.Status().Damaged != 1 {
			t.Errorf("byte %d: status %+v", i, c.Status())
		}
	}
	long := strings.Repeat("x", 200<<10) + "\n"
	rewrite(t, path, lines[0]+lines[1]+long+lines[3]+long)
	works(t, path, 2, 0)
}

// TestDoubled appends the journal to itself, and a record after itself. Each counts
// once.
func TestDoubled(t *testing.T) {
	t.Parallel()
	path, lines := written(t)
	whole := strings.Join(lines, "") + "\n"
	rewrite(t, path, whole+whole)
	works(t, path, 3, 1)
	rewrite(t, path, lines[0]+lines[1]+lines[1]+lines[2]+lines[1]+lines[2])
	works(t, path, 2, 0)
}

// TestJoined appends the journal of another machine. Both count.
func TestJoined(t *testing.T) {
	t.Parallel()
	path, lines := written(t)
	_, others := written(t)
	rewrite(t, path, strings.Join(lines, "")+"\n"+strings.Join(others, "")+"\n")
	works(t, path, 6, 2)
}

func TestRefused(t *testing.T) {
	t.Parallel()
	newer, err := appendLine(nil, header{Journal: format, Version: version + 1})
	if err != nil {
		t.Fatal(err)
	}
	other, err := appendLine(nil, header{Journal: "something else", Version: version})
	if err != nil {
		t.Fatal(err)
	}
	_, lines := written(t)
	for text, want := range map[string]error{
		string(newer) + "whatever that has\n": errNewer,
		string(other):                         errForeign,
		"# A text\n\nof a person.\n":          errForeign,
		"no line":                             errForeign,
		"\n":                                  errForeign,
		lines[0][:len(lines[0])-1]:            errForeign,
		lines[1]:                              errForeign,
		strings.Repeat("x", 2*maxHeader):      errForeign,
	} {
		path := filepath.Join(t.TempDir(), "uses.journal")
		rewrite(t, path, text)
		broken(t, path, want)
	}
	empty := filepath.Join(t.TempDir(), "uses.journal")
	rewrite(t, empty, "")
	works(t, empty, 0, 0)
}

// TestUnusable checks paths that are not a file, or where no file can be created.
func TestUnusable(t *testing.T) {
	t.Parallel()
	folder := journalPath(t)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	broken(t, folder, files.ErrNotRegular)
	file := filepath.Join(t.TempDir(), "file")
	rewrite(t, file, "text")
	broken(t, filepath.Join(file, "uses.journal"), syscall.ENOTDIR)
}

// TestNewerComesAndGoes replaces the file of a counter. The counter counts in memory,
// and writes those counts as soon as it can.
func TestNewerComesAndGoes(t *testing.T) {
	t.Parallel()
	path, lines := written(t)
	c, _ := open(t, path)
	counts(t, c, 3, 1)
	newer, _ := appendLine(nil, header{Journal: format, Version: version + 1})
	rewrite(t, path, string(newer))
	c.Track(b, Kind{}, noon, nil)
	c.Track(b, Kind{}, noon, nil)
	if s := c.Status(); !errors.Is(s.Failure, errNewer) {
		t.Errorf("status %+v", s)
	}
	counts(t, c, 3, 3)
	rewrite(t, path, strings.Join(lines, "")+"\n")
	c.Track(a, Kind{}, noon, nil)
	counts(t, c, 4, 3)
	if s := c.Status(); s.Failure != nil {
		t.Errorf("status %+v", s)
	}
	works(t, path, 4, 3)
}

// TestFullDisk makes writes fail after every possible number of bytes. Nothing is lost
// and nothing counts twice. When there is room again, everything is written.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	path, lines := written(t)
	whole := strings.Join(lines, "") + "\n"
	for room := range 2*len(lines[1]) + 9 {
		rewrite(t, path, whole)
		c, said := open(t, path)
		full := func(to io.Writer, text []byte) (int, error) {
			n, _ := to.Write(text[:min(room, len(text))])
			return n, syscall.ENOSPC
		}
		c.journal.write = full
		c.held[a.ID], c.held[b.ID] = Kind{}.one(noon), Kind{}.one(noon)
		c.Track(a, Kind{Signal: Helpful}, noon, nil)
		counts(t, c, 5, 2)
		if s := c.Status(); !errors.Is(s.Failure, syscall.ENOSPC) || !strings.Contains(said.String(), "no space left") {
			t.Fatalf("room for %d bytes: status %+v, logged %s", room, s, said)
		}
		other, _ := open(t, path)
		other.Track(b, Kind{}, noon, nil)
		counts(t, c, 5, 3)
		c.journal.write = io.Writer.Write
		c.Track(a, Kind{}, noon, nil)
		counts(t, c, 6, 3)
		counts(t, other, 6, 3)
		if err := c.Close(); err != nil || c.Status().Failure != nil {
			t.Errorf("closed with %v, status %+v", err, c.Status())
		}
		works(t, path, 6, 3)
	}
}

// TestTriedAgain checks that a failed write is retried without a new use, and that
// nothing is retried after Close.
func TestTriedAgain(t *testing.T) {
	t.Parallel()
	path, _ := written(t)
	c, _ := open(t, path)
	c.idle = time.Millisecond
	var full atomic.Bool
	full.Store(true)
	attempts := make(chan struct{}, 2)
	c.journal.write = func(to io.Writer, text []byte) (int, error) {
		if full.Load() {
			select {
			case attempts <- struct{}{}:
			default:
			}
			return 0, syscall.ENOSPC
		}
		return to.Write(text)
	}
	before := c.Of(a).Count
	c.Track(a, Kind{}, noon, nil)
	<-attempts
	<-attempts
	if c.Status().Failure == nil {
		t.Error("nothing is said of a full disk")
	}
	full.Store(false)
	other, _ := open(t, path)
	for other.Of(a).Count == before || c.Status().Failure != nil {
		time.Sleep(time.Millisecond)
	}
	full.Store(true)
	c.Track(a, Kind{}, noon, nil)
	if err := c.Close(); err != nil {
		t.Errorf("closed with %v", err)
	}
	for len(attempts) > 0 {
		<-attempts
	}
	c.tick() // as a timer that had run out already
	if len(attempts) > 0 || c.pending != nil {
		t.Error("it is tried again after the end")
	}
}

// TestClockStepsBack checks that the last use is the latest one, in whatever order uses
// are counted, and that the counts continue.
func TestClockStepsBack(t *testing.T) {
	t.Parallel()
	path := journalPath(t)
	c, _ := open(t, path)
	c.Track(a, Kind{}, noon, nil)
	if got := c.Track(a, Kind{}, noon.Add(-24*time.Hour), nil); got.Use != (Use{2, "2025-06-01T12:00:00.000Z"}) {
		t.Errorf("got %+v", got)
	}
	c.journal.compactAfter = 0
	c.Track(a, Kind{}, noon.Add(-48*time.Hour), nil)
	again, _ := open(t, path)
	if got := again.Of(a); got != (Use{3, "2025-06-01T12:00:00.000Z"}) {
		t.Errorf("read again: %+v", got)
	}
}

// TestCompacting has two counters compact all the time while a third one reads. No use
// is lost, and the journal stays short.
func TestCompacting(t *testing.T) {
	t.Parallel()
	path := journalPath(t)
	reader, _ := open(t, path)
	const each = 200
	var wg sync.WaitGroup
	for range 2 {
		c, said := open(t, path)
		c.journal.compactAfter = 5
		wg.Go(func() {
			for range each {
				before := reader.Of(a).Count
				if got := c.Track(a, Kind{Action: Applied}, noon, nil).Count; got <= before {
					t.Errorf("counted %d, and %d before that", got, before)
				}
			}
			if said.Len() > 0 {
				t.Error(said)
			}
		})
	}
	wg.Wait()
	counts(t, reader, 2*each, 0)
	if got := reader.Hotset([]*catalog.Entry{a}, 1)[0].Actions.Applied; got != 2*each {
		t.Errorf("applied %d times", got)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 5000 {
		t.Errorf("%d bytes after compacting, %v", info.Size(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*.draft")); left != nil {
		t.Errorf("left behind: %s", left)
	}
	if info, _ := os.Stat(path); info.Mode().Perm()&0o600 != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	works(t, path, 2*each, 0)
}

// TestCompactingFails checks that the journal stays in use, and that the failure is
// logged.
func TestCompactingFails(t *testing.T) {
	t.Parallel()
	path, _ := written(t)
	c, said := open(t, path)
	c.journal.write = func(to io.Writer, text []byte) (int, error) {
		if _, compacts := to.(*files.Draft); compacts {
			return 0, syscall.ENOSPC
		}
		return to.Write(text)
	}
	c.journal.compactAfter = 0
	for range 10 {
		c.Track(a, Kind{}, noon, nil)
	}
	counts(t, c, 13, 1)
	if n := strings.Count(said.String(), "cannot be compacted"); n == 0 || n > 4 {
		t.Errorf("said %d times: %s", n, said)
	}
	works(t, path, 13, 1)
}

// TestInterval checks that under SyncInterval a use is written at once, and synced to
// disk by the timer or by Close.
func TestInterval(t *testing.T) {
	t.Parallel()
	path := journalPath(t)
	c := Open(path, SyncInterval, slog.New(slog.DiscardHandler))
	for range 100 {
		c.Track(a, Kind{}, noon, nil)
	}
	other, _ := open(t, path)
	counts(t, other, 100, 0)
	if err := c.Close(); err != nil || c.Status().Failure != nil {
		t.Errorf("closed with %v, status %+v", err, c.Status())
	}
}

// TestTogether checks that all concurrent uses of one counter are in the journal, and
// that each answer includes the uses before it and no later one.
func TestTogether(t *testing.T) {
	t.Parallel()
	path := journalPath(t)
	c, _ := open(t, path)
	var wg sync.WaitGroup
	var mu sync.Mutex
	answers := map[int64]bool{}
	for range 8 {
		wg.Go(func() {
			for range 50 {
				got := c.Track(a, Kind{}, noon, nil)
				mu.Lock()
				answers[got.Count] = !got.InMemory
				mu.Unlock()
				c.Hotset([]*catalog.Entry{a, b}, 5)
				c.Status()
			}
		})
	}
	wg.Wait()
	for n := range int64(400) {
		if !answers[n+1] {
			t.Errorf("no answer counts %d", n+1)
		}
	}
	works(t, path, 400, 0)
}

func TestUnused(t *testing.T) {
	t.Parallel()
	c := NewCounter()
	entries := []*catalog.Entry{entry("never-b", Use{}), entry("old", Use{3, "2025-01-01T00:00:00.000Z"}), entry("dateless", Use{Count: 2}),
		entry("new", Use{}), entry("older", Use{1, "2024-01-01T00:00:00.000Z"}), entry("never-a", Use{})}
	c.Track(entries[3], Kind{}, noon, nil)
	if got, want := fmt.Sprint(ids(c.Unused(entries, noon.Add(-time.Hour)))), "[dateless never-a never-b older old]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := c.Unused(nil, noon); got == nil || len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
}

// FuzzJournal starts from a file with any content. The file is either left unchanged,
// or used in such a way that the next process has the same counts.
func FuzzJournal(f *testing.F) {
	head, _ := appendLine(nil, header{Journal: format, Version: version, Generation: "G", Since: "2025-06-01T12:00:00.000Z"})
	one, _ := appendLine(nil, record{"W", 1, "a", Kind{Applied, Helpful}.one(noon), false})
	sum, _ := appendLine(nil, record{"W", 2, "a", Kind{Applied, Helpful}.one(noon), true})
	for _, seed := range []string{"", "\n", string(head), string(head) + string(one), string(head) + string(one[:20]), string(head) + string(one) + string(one), string(head) + string(one) + string(sum)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "uses.journal")
		rewrite(t, path, string(text))
		c, _ := open(t, path)
		before := c.Of(a).Count
		c.Track(a, Kind{}, noon, nil)
		if got, want := c.Of(a).Count, (Use{Count: before}).plus(Use{Count: 1}).Count; got != want {
			t.Errorf("counted %d after %d", got, before)
		}
		if c.Status().Failure != nil {
			if now, _ := os.ReadFile(path); !bytes.Equal(now, text) {
				t.Errorf("it was refused, and changed to %q", now)
			}
			return
		}
		again, _ := open(t, path)
		if again.Of(a) != c.Of(a) {
			t.Errorf("%+v, and read again %+v", c.Of(a), again.Of(a))
		}
	})
}
