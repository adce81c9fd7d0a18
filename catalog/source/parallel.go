package source

import (
	"context"
	"io"
	"runtime"

	"golang.org/x/sync/errgroup"
)

// task is a run on its way: whoever reads it leaves the result in the channel,
// which has room for it.
type task struct {
	run
	done chan *readings
}

// pipeline reads runs on every processor: one goroutine cuts them off, some read
// them, and one takes the results in the order of the runs. At any time there
// are as many buffers as the channel free has room for.
type pipeline struct {
	lines *lineReader
	free  chan []byte
	work  chan task
	order chan task
}

// readAll reads what the cutter cuts and hands the results to use, in order and
// one after the other. Its error is that of the cutter or of ctx.
func (l *lineReader) readAll(ctx context.Context, c *cutter, use func(*readings)) error {
	workers := runtime.GOMAXPROCS(0)
	inFlight := 2*workers + 2
	p := &pipeline{lines: l, free: make(chan []byte, inFlight), work: make(chan task), order: make(chan task, inFlight)}
	for range inFlight {
		p.free <- nil
	}
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return p.cut(ctx, c) })
	for range workers {
		g.Go(p.read)
	}
	g.Go(func() error {
		for t := range p.order {
			use(<-t.done)
		}
		return nil
	})
	return g.Wait()
}

// cut hands out runs until there are no more. A run is in order only once it is
// sure to be read.
func (p *pipeline) cut(ctx context.Context, c *cutter) error {
	defer close(p.work)
	defer close(p.order)
	for {
		var buf []byte
		select {
		case buf = <-p.free:
		case <-ctx.Done():
		}
		if err := ctx.Err(); err != nil {
			return err // select takes either where both are ready
		}
		next, err := c.next(buf)
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		t := task{next, make(chan *readings, 1)}
		select {
		case p.work <- t:
		case <-ctx.Done():
			return ctx.Err()
		}
		p.order <- t
	}
}

func (p *pipeline) read() error {
	for t := range p.work {
		t.done <- p.lines.read(t.run)
		p.recycle(t.data)
	}
	return nil
}

// recycle gives a buffer back. That of a long line goes, so that few of them do
// not take much memory for long.
func (p *pipeline) recycle(buf []byte) {
	if cap(buf) > 2*runBytes {
		buf = nil
	}
	p.free <- buf
}
