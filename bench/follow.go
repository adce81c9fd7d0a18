package bench

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// What a server does that follows its files.
const (
	notified        = "notified"                  // from when a file is written until a subscriber is told
	diffSince       = "diff since"                // of the revision before ten changes
	searchMeanwhile = "search while 2,000 change" // for a rare term, while two of five files, 2,000 at most, are written
	manySwaps       = "2,000 change"
	idleServer      = "idle"
)

// The least that is followed, and how much of it is changed, in entries.
const (
	minFollowed  = 20
	fewChanges   = 10
	manyChanges  = 2000
	timesChanged = 3                      // how often so many are changed in a run
	settling     = 250 * time.Millisecond // for how long searches are measured after the last swap
)

// follows reports whether following is measured over the pipe. Of a bundle it would
// be the writing of a hundred megabytes.
func follows(size int) bool { return size >= minFollowed && formOf(size).name == Folder }

// following is the measuring of a server that is told of changes.
type following struct {
	*trial
	server, floor *listener
	edits         []*edit
	round         int
	revision      string // the last that the server has named
}

// measureFollowing edits files of the catalog while a server of its own serves them.
func (t *trial) measureFollowing(ctx context.Context) (err error) {
	size := t.corpus.truth.entries
	if !follows(size) {
		return nil
	}
	edits, err := t.corpus.edits(min(manyChanges, size*2/5))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, restore(edits)) }()
	return withListener(ctx, t.Server(t.corpus.path), func(server *listener) error {
		return withListener(ctx, t.Floor, func(floor *listener) error {
			f := &following{trial: t, server: server, floor: floor, edits: edits}
			return f.measure(ctx)
		})
	})
}

func (f *following) measure(ctx context.Context) error {
	answer, err := f.call("instructions/subscribe", struct{}{})
	if err != nil {
		return err
	}
	f.revision = answer.text("revision")
	for _, measure := range []func(context.Context) error{f.idle, f.editing, f.since, f.meanwhile} {
		if err := measure(ctx); err != nil {
			return err
		}
	}
	return nil
}

// call asks the server, outside of what is measured.
func (f *following) call(method string, params any) (a *answer, err error) {
	q := question{name: method, method: method, params: encode(params), want: func(found *answer) bool { a = found; return true }}
	line, err := f.server.ask(q.line())
	if err == nil {
		err = q.checkLine(line)
	}
	return a, err
}

// change gives new bodies to so many entries.
func (f *following) change(entries int) error {
	f.round++
	for _, e := range f.edits[:entries] {
		if err := e.write(f.round); err != nil {
			return err
		}
	}
	return nil
}

// all reports whether so many entries, and no others, have changed since the revision
// that was last taken, and if so takes the one now.
func (f *following) all(entries int) (bool, error) {
	a, err := f.call("instructions/diff", map[string]any{"since": f.revision, "fields": []string{"id"}})
	if err != nil || a.is("upToDate") {
		return false, err
	}
	changed := a.arrays["updated"].length
	if changed > entries || !a.changes(0, changed, 0) {
		return false, fmt.Errorf("%d entries were edited, and these have changed: %d updated, %d added, %d removed",
			entries, changed, a.arrays["added"].length, a.arrays["removed"].length)
	}
	if changed == entries {
		f.revision = a.text("revision")
	}
	return changed == entries, nil
}

// until waits until so many entries have changed.
func (f *following) until(entries int) error {
	for {
		switch whole, err := f.all(entries); {
		case err != nil || whole:
			return err
		}
		time.Sleep(time.Millisecond)
	}
}

// idle measures what a server takes of a processor that nobody asks and whose files
// stay as they are. What it does after its start has come to an end before.
func (f *following) idle(ctx context.Context) error {
	f.next(idleServer)
	pid := f.server.cmd.Process.Pid
	before, ok := processorTime(pid)
	for settled := 0; ok && settled < 5; settled++ {
		if err := sleep(ctx, 100*time.Millisecond); err != nil {
			return err
		}
		now, _ := processorTime(pid)
		if now != before {
			before, settled = now, 0
		}
	}
	start := time.Now()
	if err := sleep(ctx, f.rest()); err != nil {
		return err
	}
	after, stillThere := processorTime(pid)
	if ok && stillThere {
		f.result.IdlePercent = 100 * float64(after-before+tick) / float64(time.Since(start))
	}
	return nil
}

// rest is for how long nothing happens: long enough for the bound, where it is
// promised.
func (f *following) rest() time.Duration {
	if f.corpus.truth.entries < 1000 {
		return 100 * time.Millisecond
	}
	return 3 * time.Second
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// editing measures from when a file is written until the client is told.
func (f *following) editing(ctx context.Context) error {
	f.next(notified)
	edit := func() (time.Duration, error) {
		if err := f.change(1); err != nil {
			return 0, err
		}
		start := time.Now()
		if err := f.server.wait(); err != nil {
			return 0, err
		}
		took := time.Since(start)
		whole, err := f.all(1)
		if err == nil && !whole {
			err = errors.New(notified + ": told of a change that is none")
		}
		return took, err
	}
	if _, err := interleave(ctx, 1, edit); err != nil { // not counted: what it builds for the first one
		return err
	}
	timings, err := interleave(ctx, fewer(f.Iterations), edit)
	if err == nil {
		f.result.Operations = append(f.result.Operations, newOperation(notified, Pipe, timings[0], 0))
	}
	return err
}

// since measures the question for what ten edits have changed.
func (f *following) since(ctx context.Context) error {
	f.next(diffSince)
	n := min(fewChanges, len(f.edits))
	before := f.revision
	if err := f.change(n); err != nil {
		return err
	}
	if err := f.until(n); err != nil {
		return err
	}
	q := question{name: diffSince, method: "instructions/diff", params: encode(map[string]string{"since": before}), brief: true,
		want: func(a *answer) bool { return a.changes(0, n, 0) && a.text("revision") == f.revision }}
	line, err := f.server.ask(q.line())
	if err != nil {
		return err
	}
	length := len(line)
	floor := asking(f.floor, floorLine(q.line(), length), func([]byte) error { return nil })
	timings, err := interleave(ctx, q.rounds(f.Iterations), asking(f.server, q.line(), q.checkLine), floor)
	if err == nil {
		f.result.Operations = append(f.result.Operations, newOperation(diffSince, Pipe, timings[0], length).beside(FloorAnswer, timings[1]))
	}
	return err
}

// meanwhile measures searches while many files change, and in turn with it searches
// while none does. It counts the swaps, of which the client is told.
func (f *following) meanwhile(ctx context.Context) error {
	f.next(searchMeanwhile)
	q := f.ask(searchRare)
	search := asking(f.server, q.line(), q.checkLine)
	var quiet, during []time.Duration
	for range timesChanged {
		for range q.rounds(f.Iterations) {
			if err := ctx.Err(); err != nil {
				return err
			}
			took, err := search()
			if err != nil {
				return err
			}
			quiet = append(quiet, took)
		}
		told := f.server.told
		some, err := f.searchWhileChanging(search)
		if err != nil {
			return err
		}
		during = append(during, some...)
		f.result.Swaps = max(f.result.Swaps, f.server.told-told)
	}
	o := newOperation(searchMeanwhile, Pipe, summarise(during), 0).beside(FloorQuiet, summarise(quiet))
	f.result.Operations = append(f.result.Operations, o)
	return nil
}

// searchWhileChanging searches from before the files are written until some time
// after the server has all of them.
func (f *following) searchWhileChanging(search subject) (took []time.Duration, err error) {
	var writing sync.WaitGroup
	defer writing.Wait()
	written := make(chan error, 1)
	writing.Go(func() { written <- f.change(len(f.edits)) })
	var whole time.Time // when the server had all
	for done, seen := false, -1; whole.IsZero() || time.Since(whole) < settling; {
		d, err := search()
		if err != nil {
			return nil, err
		}
		took = append(took, d)
		select {
		case err := <-written:
			if err != nil {
				return nil, err
			}
			done = true
		default:
		}
		if !done || seen == f.server.told || !whole.IsZero() {
			continue
		}
		seen = f.server.told
		switch all, err := f.all(len(f.edits)); {
		case err != nil:
			return nil, err
		case all:
			whole = time.Now()
		}
	}
	return took, nil
}
