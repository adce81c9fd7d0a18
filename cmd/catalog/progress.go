package main

import (
	"fmt"

	"github.com/schollz/progressbar/v3"
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

func (p *progress) finish() { _ = p.bar.Finish() }
