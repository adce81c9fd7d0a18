package mcp

import (
	"context"
	"runtime"
	"sync"
	"time"
)

// turns has only a few requests use the processors at a time, so that each is soon
// done and others, such as one for the server's health, never wait behind all of
// them. A request that takes long, because it waits for something, keeps nobody:
// its turn is over after a moment, though it goes on.
type turns struct{ free chan struct{} }

// moment is how long a turn lasts at most: several times what a call that is
// answered from memory takes.
const moment = 20 * time.Millisecond

func newTurns() turns { return turns{make(chan struct{}, 2*runtime.GOMAXPROCS(0))} }

// take waits for a turn, or until ctx ends, and returns what ends it.
func (t turns) take(ctx context.Context) (end func()) {
	select {
	case t.free <- struct{}{}:
	case <-ctx.Done():
		return func() {}
	}
	give := sync.OnceFunc(func() { <-t.free })
	over := time.AfterFunc(moment, give)
	return func() {
		over.Stop()
		give()
	}
}
