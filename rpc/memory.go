package rpc

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// DefaultMemory is the default bound of a [Memory], in bytes.
const DefaultMemory = 256 << 20

// How many bytes of memory a byte takes, as measured with profiles of the heap.
const (
	onArrival    = 2  // of a request that is being read: the buffer is copied as it grows
	whileChecked = 20 // of params, until they are known to fit: decoded, and held against the schema
	onceChecked  = 6  // of params, until the call is answered: the copies, and the typed value
	whileMade    = 8  // of the result of an agent's call, until it is encoded
	onceMade     = 4  // of what an agent gets, until it is written: text and result, once alone and twice as a message
)

// unclaimed is how many bytes a request may hold without asking. Nearly every
// request stays below it, and never waits.
const unclaimed = 64 << 10

// Memory bounds what the requests of a server hold together, over all protocols
// and lanes: params that are being checked, and answers that are not written yet.
// Half of it is for garbage, of which there may be as much as is in use. A quarter
// each is for params and for answers. They are kept apart because a call that waits
// for room for its answer still holds its params: with one pool, it and a call that
// waits for room for its params could wait for each other.
//
// What needs more than its quarter is admitted when nothing else is. A nil Memory
// bounds nothing. A Memory is safe for concurrent use.
type Memory struct {
	params, answers *semaphore.Weighted
	part            int64 // of each, in bytes
}

// NewMemory returns a bound of so many bytes.
func NewMemory(bytes int64) *Memory {
	part := max(bytes/4, 1)
	return &Memory{params: semaphore.NewWeighted(part), answers: semaphore.NewWeighted(part), part: part}
}

// Patience is how long a request waits for room. After that, the call is answered
// with an error that says that it may be called again later.
type Patience time.Duration

// Endless is the patience of a request that waits until its context ends.
const Endless Patience = 0

// errMemory tells a caller what to do about a bound that others have used up.
var errMemory = NewError(Unavailable, "the server holds as many params and answers as its memory is meant for (--memory): "+
	"call again later, or ask for less at once, such as a page or some fields", nil)

// Share is what one request holds, or the requests of one batch: params, and answers.
// One that holds an answer never waits, and is refused where there is no room: two of
// them could wait for each other. A nil Share bounds nothing. A Share is safe for
// concurrent use.
type Share struct {
	patience Patience

	mu              sync.Mutex
	users           int
	params, answers lease
}

// Share returns a share that holds nothing yet and has one user, who must call
// [Share.Release].
func (m *Memory) Share(patience Patience) *Share {
	if m == nil {
		return nil
	}
	return &Share{
		patience: patience, users: 1,
		params: lease{pool: m.params, most: m.part}, answers: lease{pool: m.answers, most: m.part},
	}
}

// Arrive waits for room for a request of so many bytes that is on its way.
func (s *Share) Arrive(ctx context.Context, bytes int) *Error {
	return s.claimParams(ctx, onArrival*bytes)
}

// Check waits for room to check params of so many bytes, for which there is already
// room as [Share.Arrive] was told of arrived bytes, 0 if it was not called.
func (s *Share) Check(ctx context.Context, bytes, arrived int) *Error {
	return s.claimParams(ctx, whileChecked*bytes-onArrival*arrived)
}

func (s *Share) claimParams(ctx context.Context, bytes int) *Error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.change(ctx, &s.params, bytes)
}

// freeParams gives back so many bytes of what is held for params.
func (s *Share) freeParams(bytes int) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.params.shrink(int64(bytes))
}

// change makes a lease larger, or smaller.
func (s *Share) change(ctx context.Context, l *lease, bytes int) *Error {
	l.wanted += int64(bytes)
	more := l.due() - l.held
	if more <= 0 {
		l.shrink(0)
		return nil
	}
	if s.answers.held > 0 && l.pool.TryAcquire(more) || s.answers.held == 0 && s.wait(ctx, l.pool, more) {
		l.held += more
		return nil
	}
	l.wanted -= int64(bytes)
	return errMemory
}

func (s *Share) wait(ctx context.Context, pool *semaphore.Weighted, bytes int64) bool {
	if s.patience != Endless {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Duration(s.patience))
		defer cancel()
	}
	return pool.Acquire(ctx, bytes) == nil
}

// checked gives back what params of so many bytes took only while they were checked.
func (s *Share) checked(bytes int) { s.freeParams((whileChecked - onceChecked) * bytes) }

// Hold waits for room for so many bytes of an answer, in any encoding: they are
// counted as what becomes of them.
func (s *Share) Hold(ctx context.Context, bytes int) *Error { return s.claim(ctx, onceMade*bytes) }

func (s *Share) claim(ctx context.Context, bytes int) *Error {
	if s == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users == 0 { // whoever asked has gone
		return errMemory
	}
	return s.change(ctx, &s.answers, bytes)
}

// made gives back what was claimed for an answer and is not held by it, in bytes.
func (s *Share) made(claimed, held int) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answers.shrink(int64(claimed - held))
}

// Answered gives back what params of so many bytes took: the call has been answered.
func (s *Share) Answered(bytes int) { s.freeParams(onceChecked * bytes) }

// Use adds a user, who must call [Share.Release], too. It is not ok if the last one
// has done so already.
func (s *Share) Use() (ok bool) {
	if s == nil {
		return true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users > 0 {
		s.users++
	}
	return s.users > 0
}

// Release ends the use of one user. With that of the last, all is given back.
func (s *Share) Release() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.users--; s.users == 0 {
		s.params.shrink(s.params.wanted)
		s.answers.shrink(s.answers.wanted)
	}
}

// lease is what a share has of one pool.
type lease struct {
	pool         *semaphore.Weighted
	most         int64 // the whole pool
	wanted, held int64
}

// due is how much the lease is to hold for what is wanted.
func (l *lease) due() int64 {
	if l.wanted <= unclaimed {
		return 0
	}
	return min(l.wanted, l.most)
}

func (l *lease) shrink(by int64) {
	l.wanted = max(l.wanted-by, 0)
	if due := l.due(); due < l.held {
		l.pool.Release(l.held - due)
		l.held = due
	}
}

type shareKey struct{}

// WithShare returns the context of a call whose params and answer count in s.
func WithShare(ctx context.Context, s *Share) context.Context {
	if s == nil {
		return ctx
	}
	return context.WithValue(ctx, shareKey{}, s)
}

// ShareOf returns the share of a call with this context, nil for one that is not
// bounded, such as that of a command.
func ShareOf(ctx context.Context) *Share {
	s, _ := ctx.Value(shareKey{}).(*Share)
	return s
}

// held is how many bytes a value holds by itself. The pieces of one that has many
// belong to the catalog, but for short ones between them.
func (j JSON) held() int {
	if len(j) == 1 {
		return len(j[0])
	}
	const header, short = 24, 256
	n := header * cap(j)
	for _, piece := range j {
		if len(piece) < short {
			n += len(piece)
		}
	}
	return n
}
