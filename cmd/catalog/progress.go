package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"instruction-catalog/rpc"
)

// progress is a progress bar on standard error.
type progress struct{ bar *progressbar.ProgressBar }

// showsProgress reports whether standard error is a terminal that can show a bar.
func (a *app) showsProgress() bool { return isTerminal(a.stderr) && a.env("TERM") != "dumb" }

func (a *app) newProgress() *progress {
	return &progress{progressbar.NewOptions(1, progressbar.OptionSetWriter(a.stderr),
		progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish(), progressbar.OptionSetPredictTime(false))}
}

// show updates the bar. It ignores drawing errors.
func (p *progress) show(done, total int, next string) {
	p.bar.ChangeMax(total)
	p.bar.Describe(fmt.Sprintf("%-40s", next))
	_ = p.bar.Set(done)
}

// patience is how long work runs before its progress is shown.
const patience = time.Second

// showing returns a function that shows the progress of long work, which may be called
// from any goroutine, and a function that removes the progress bar. Nothing is shown if
// the work ends within patience, or if standard error is not a terminal.
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

// tellInterval is how often progress is printed if no bar is shown.
const tellInterval = 15 * time.Second

// telling returns a function that prints the progress of long work on standard error,
// once per tellInterval.
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

// roughly formats a duration, rounded to seconds or minutes.
func roughly(d time.Duration) string {
	if d < 90*time.Second {
		return count(max(1, int(d.Round(time.Second).Seconds())), "second", "seconds")
	}
	return count(int(d.Round(time.Minute).Minutes()), "minute", "minutes")
}
