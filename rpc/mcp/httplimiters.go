package mcp

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// bodyLimiter bounds the bytes of the large bodies that are being read. A named user may
// have half of them, so that bodies that do not arrive keep no other user's from being
// read.
type bodyLimiter struct {
	bytes int64
	all   *semaphore.Weighted

	mu    sync.Mutex
	users map[string]*userBodies // those with bodies that are being read, or wait
}

type userBodies struct {
	bytes  *semaphore.Weighted
	bodies int
}

func newBodyLimiter(bytes int64) *bodyLimiter {
	return &bodyLimiter{bytes: bytes, all: semaphore.NewWeighted(bytes), users: map[string]*userBodies{}}
}

// acquire waits until a user's body of this size may be read, or until ctx ends, which is
// the error. Call release when it has been read.
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

// cpuLimiter lets few requests at a time use the processors, so that each is soon done
// and others, such as one for the server's health, never wait behind all of them. Without
// it the slowest hundredth of the answers about the server's health took two to three
// times as long while 200 clients called (TestCrowd: 250 and 550 ms instead of 130 and
// 190, in the two eras of MCP, on two processors that did other work, too). A
// request that takes longer than [maxHold] goes on without its slot, so that one that
// waits for something blocks no other.
type cpuLimiter struct{ slots chan struct{} }

// maxHold is how long a request holds a slot: several times what a call that is answered
// from memory takes.
const maxHold = 20 * time.Millisecond

func newCPULimiter() cpuLimiter {
	return cpuLimiter{make(chan struct{}, 2*runtime.GOMAXPROCS(0))}
}

// acquire waits for a slot, or until ctx ends. Call release at the end.
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
