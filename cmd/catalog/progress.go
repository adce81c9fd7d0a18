package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"instruction-catalog/rpc"
)

// progress is a bar on standard error that shows how far long work has come.
type progress struct{ bar *progressbar.ProgressBar }

// showsProgress reports whether there is a terminal that can show a bar.
func (a *app) showsProgress() bool { return isTerminal(a.stderr) && a.env("TERM") != "dumb" }

func (a *app) newProgress() *progress {
	return &progress{progressbar.NewOptions(1, progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(false))}
}

// show moves the bar. One that cannot be drawn does no harm.
func (p *progress) show(done, total int, next string) {
	p.bar.ChangeMax(total)
	p.bar.Describe(fmt.Sprintf("%-40s", next))
	_ = p.bar.Set(done)
}

// patience is how long work may take before it shows how far it is.
const patience = time.Second

// showing returns a function that shows, from any goroutine, how far long work is,
// and one that takes the bar away. Work that is soon done shows nothing, nor does
// any where there is no terminal.
func (a *app) showing(what string) (show rpc.Progress, finish func()) {
	if !a.showsProgress() {
		return func(int, int) {}, func() {}
	}
	var mu sync.Mutex
	var bar *progress
	start := time.Now()
	show = func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if bar == nil && time.Since(start) >= patience {
			bar = a.newProgress()
		}
		if bar != nil {
			bar.show(done, total, what)
		}
	}
	return show, func() {
		mu.Lock()
		defer mu.Unlock()
		if bar != nil {
			bar.finish()
		}
	}
}

func (p *progress) finish() { _ = p.bar.Finish() }

// tellInterval is how often the progress of long work is reported if no bar is shown.
const tellInterval = 15 * time.Second

// telling returns a function that tells on standard error how far long work is,
// now and then.
func (a *app) telling(now func() time.Time) func(done, total int, next string) {
	start := now()
	told := start
	return func(done, total int, next string) {
		at := now()
		if at.Sub(told) < tellInterval || done == 0 {
			return
		}
		told = at
		took := at.Sub(start)
		a.tell("catalog: step %d of %d after %s, about %s more: %s", done+1, total,
			roughly(took), roughly(took*time.Duration(total-done)/time.Duration(done)), next)
	}
}

// roughly says how long something takes, as people do.
func roughly(d time.Duration) string {
	if d < 90*time.Second {
		return count(max(1, int(d.Round(time.Second).Seconds())), "second", "seconds")
	}
	return count(int(d.Round(time.Minute).Minutes()), "minute", "minutes")
}
