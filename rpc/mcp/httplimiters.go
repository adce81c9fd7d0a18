package mcp

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// bodyLimiter limits the total bytes of the large bodies that are being read. An
// authenticated user may use at most half of the limit, so that bodies that never arrive do
// not block other users.
type bodyLimiter struct {
	bytes int64
	all   *semaphore.Weighted

	mu    sync.Mutex
	users map[string]*userBodies // users with bodies that are being read or waiting
}

type userBodies struct {
	bytes  *semaphore.Weighted
	bodies int
}

func newBodyLimiter(bytes int64) *bodyLimiter {
	return &bodyLimiter{bytes: bytes, all: semaphore.NewWeighted(bytes), users: map[string]*userBodies{}}
}

// acquire waits until a user's body of this size may be read. It returns an error if ctx is
// done first. Call release when the body has been read.
func (l *bodyLimiter) acquire(ctx context.Context, user string, bytes int64) (release func(), err error) {
	l.mu.Lock()
	own := l.users[user]
	if own == nil {
		own = &userBodies{bytes: semaphore.NewWeighted(int64(share(int(l.bytes), user)))}
		l.users[user] = own
	}
	own.bodies++
	l.mu.Unlock()
	leave := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if own.bodies--; own.bodies == 0 {
			delete(l.users, user)
		}
	}
	if err := own.bytes.Acquire(ctx, bytes); err != nil {
		leave()
		return nil, err
	}
	if err := l.all.Acquire(ctx, bytes); err != nil {
		own.bytes.Release(bytes)
		leave()
		return nil, err
	}
	return func() {
		l.all.Release(bytes)
		own.bytes.Release(bytes)
		leave()
	}, nil
}

// cpuLimiter limits how many requests use the processors at a time, so that each finishes
// soon and other requests, such as health checks, do not wait behind all of them. Without
// it, the 99th percentile of the duration of health checks was two to three times as high
// while 200 clients made calls (TestCrowd: 250 and 550 ms instead of 130 and 190 ms, for MCP
// with and without sessions, on two processors with other load). A request that takes longer
// than [maxHold] continues without its slot, so that a request that waits for something does
// not block others.
type cpuLimiter struct{ slots chan struct{} }

// maxHold is the maximum time for which a request holds a slot. It is several times the
// duration of a call that is answered from memory.
const maxHold = 20 * time.Millisecond

func newCPULimiter() cpuLimiter {
	return cpuLimiter{make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
}

// acquire waits for a slot or until ctx is done. Call release when the request has ended.
func (l cpuLimiter) acquire(ctx context.Context) (release func()) {
	select {
	case l.slots <- struct{}{}:
	case <-ctx.Done():
		return func() {}
	}
	give := sync.OnceFunc(func() { <-l.slots })
	expired := time.AfterFunc(maxHold, give)
	return func() {
		expired.Stop()
		give()
	}
}
