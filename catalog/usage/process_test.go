package usage

import (
	"bufio"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"instruction-catalog/catalog"
)

var (
	kills = flag.Int("kills", 30, "rounds of killing the processes that count")
	each  = flag.Int("each", 500, "uses that each of four processes counts")
	seed  = flag.Uint64("seed", 1, "of when the processes are killed")
)

// childOf is the environment variable that makes the test binary a process that counts.
const childOf = "CATALOG_TEST_COUNTS_ON"

func TestMain(m *testing.M) {
	if path := os.Getenv(childOf); path != "" {
		countUp(path)
		return
	}
	flag.Parse()
	os.Exit(m.Run())
}

// countUp counts as many uses as its only argument says, compacts all the time, and
// acknowledges each use with a line.
func countUp(path string) {
	n, err := strconv.Atoi(os.Args[1])
	if err != nil {
		panic(err)
	}
	c := Open(path, SyncAlways, slog.New(slog.NewTextHandler(os.Stderr, nil)))
	c.journal.compactAfter, c.timeout = 20, time.Hour
	entries := corpus(5)
	for i := range n {
		if c.Track(entries[i%len(entries)], Kind{Action: Applied}, time.Now(), nil).InMemory {
			break // the status tells why
		}
		fmt.Println(i)
	}
	if s := c.Status(); s.Failure != nil || s.Damaged > 0 {
		fmt.Fprintln(os.Stderr, "status", s)
		os.Exit(1)
	}
}

// child is a process that counts.
type child struct {
	*exec.Cmd
	acknowledged *bufio.Scanner
	said         strings.Builder
}

func start(t *testing.T, path string, n int) *child {
	t.Helper()
	c := &child{Cmd: exec.CommandContext(t.Context(), os.Args[0], strconv.Itoa(n))}
	c.Env = append(os.Environ(), childOf+"="+path)
	c.Stderr = &c.said
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	c.acknowledged = bufio.NewScanner(out)
	return c
}

// read reads up to n acknowledgements, and returns how many there were.
func (c *child) read(n int) (read int64) {
	for range n {
		if !c.acknowledged.Scan() {
			break
		}
		read++
	}
	return read
}

// inJournal returns the sum of all counts in a journal. The journal must not be
// damaged.
func inJournal(t *testing.T, path string) (sum int64) {
	t.Helper()
	c := Open(path, SyncAlways, slog.New(slog.NewTextHandler(t.Output(), nil)))
	entries := corpus(5)
	for _, hot := range c.Hotset(entries, len(entries)) {
		sum += hot.Count
		if hot.Actions.Applied != hot.Count {
			t.Errorf("%s was used %d times, and applied %d times", hot.ID, hot.Count, hot.Actions.Applied)
		}
	}
	if s := c.Status(); s.Failure != nil || s.Damaged > 0 {
		t.Fatalf("status %+v", s)
	}
	return sum
}

// TestKilled kills two processes again and again while they count and compact. Every
// acknowledged use is in the journal, at most one more of each process, and the journal
// can always be read.
func TestKilled(t *testing.T) {
	t.Parallel()
	path := journalPath(t)
	random := rand.New(rand.NewPCG(*seed, 0))
	var acknowledged int64
	for round := range *kills {
		children := []*child{start(t, path, 1<<30), start(t, path, 1<<30)}
		for _, c := range children {
			acknowledged += c.read(random.IntN(60))
		}
		time.Sleep(time.Duration(random.IntN(1000)) * time.Microsecond) // to another place in what they do
		for _, c := range children {
			if err := c.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range children {
			acknowledged += c.read(1 << 30)
			_ = c.Wait() // it was killed
			if c.said.Len() > 0 {
				t.Fatalf("round %d: a process said %s", round, &c.said)
			}
		}
		counted, most := inJournal(t, path), acknowledged+int64(2*(round+1))
		if counted < acknowledged || counted > most {
			t.Fatalf("round %d: %d uses in the journal, want %d to %d", round, counted, acknowledged, most)
		}
	}
	t.Logf("%d rounds: %d uses acknowledged, %d in the journal", *kills, acknowledged, inJournal(t, path))
}

// TestFourProcesses has four processes count on one journal. The sum must be exact.
func TestFourProcesses(t *testing.T) {
	t.Parallel()
	path := journalPath(t)
	var children []*child
	for range 4 {
		children = append(children, start(t, path, *each))
	}
	for i, c := range children {
		if n := c.read(1 << 30); n != int64(*each) {
			t.Errorf("process %d acknowledged %d uses", i, n)
		}
		if err := c.Wait(); err != nil || c.said.Len() > 0 {
			t.Errorf("process %d: %v, %s", i, err, &c.said)
		}
	}
	if got := inJournal(t, path); got != int64(4**each) {
		t.Errorf("%d uses in the journal, want %d", got, 4**each)
	}
}

// BenchmarkTrackOnDisk measures a use that is on disk when Track returns. In turn with
// it, it measures the minimum for that: appending a line to a file, and a sync.
func BenchmarkTrackOnDisk(b *testing.B) {
	dir := b.TempDir()
	bare, err := os.OpenFile(dir+"/bare", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		b.Fatal(err)
	}
	defer bare.Close()
	line := make([]byte, 160)
	c := Open(dir+"/uses.journal", SyncAlways, slog.New(slog.DiscardHandler))
	e := &catalog.Entry{ID: "team-go-instruction-00001"}
	c.Track(e, Kind{}, noon, nil)
	var floor, own []time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := bare.Write(line); err != nil {
			b.Fatal(err)
		}
		if err := bare.Sync(); err != nil {
			b.Fatal(err)
		}
		between := time.Now()
		c.Track(e, Kind{}, noon, nil)
		floor, own = append(floor, between.Sub(start)), append(own, time.Since(between))
	}
	slices.Sort(floor)
	slices.Sort(own)
	median := len(own) / 2
	b.ReportMetric(float64(own[median])/float64(floor[median]), "ratio")
	b.ReportMetric(float64(own[median].Microseconds()), "µs/track")
	if s := c.Status(); s.Failure != nil {
		b.Fatal(s.Failure)
	}
}
