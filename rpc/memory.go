package rpc

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// DefaultMemory is the default bound of a [Memory], in bytes.
const DefaultMemory = 256 << 20

// How many bytes of memory one byte takes, as profiles of the heap show.
const (
	paramsFactor = 20 // of params: decoded, checked against the schema, and as a typed value
	agentFactor  = 8  // of a result for an agent: text and result, each alone and twice within a message
	textFactor   = 4  // of a text for an agent
)

// unreserved is how many bytes a request may hold without a reservation. Nearly every
// request stays below it and never waits.
const unreserved = 64 << 10

// Memory bounds what the requests of a server hold together, over all protocols and
// lanes: params until their call has ended, and answers until they are written.
//
// A quarter of it is for params and a quarter for answers; the rest is for garbage, of
// which there may be as much as is in use. The two are apart because a call that waits
// for room for its answer still holds its params. What needs more than a quarter is
// admitted when nothing else is. A Memory is safe for concurrent use.
type Memory struct {
	size            int64 // of each semaphore, in bytes
	params, answers *semaphore.Weighted
}

// NewMemory returns a bound of so many bytes.
func NewMemory(bytes int64) *Memory {
	size := max(bytes/4, 1)
	return &Memory{size: size, params: semaphore.NewWeighted(size), answers: semaphore.NewWeighted(size)}
}

// ErrMemory is the answer to a call that finds no room for its params or its answer.
var ErrMemory = NewError(Unavailable, "the server holds as many params and answers as its memory is meant for (--memory): "+
	"call again later, or ask for less at once, such as a page or some fields", nil)

// ReserveParams waits for room for params of so many bytes, or for the end of ctx. Call
// release when nothing of the params is in use any more. The error is [ErrMemory].
func (m *Memory) ReserveParams(ctx context.Context, bytes int) (release func(), failure *Error) {
	n := m.weight(paramsFactor * int64(bytes))
	if n == 0 {
		return func() {}, nil
	}
	// Acquire fails once ctx has ended, even if there is room.
	if !m.params.TryAcquire(n) && m.params.Acquire(ctx, n) != nil {
		return nil, ErrMemory
	}
	return sync.OnceFunc(func() { m.params.Release(n) }), nil
}

// weight returns how much of a semaphore so many bytes take.
func (m *Memory) weight(bytes int64) int64 {
	if bytes <= unreserved {
		return 0
	}
	return min(bytes, m.size)
}

// Answers returns a reservation for the answer to one request, or for all answers to a
// batch. It waits for room for at most the timeout, and not at all if that is 0.
func (m *Memory) Answers(timeout time.Duration) *Reservation {
	return &Reservation{memory: m, timeout: timeout}
}

// NoTimeout lets a reservation wait until its context ends.
const NoTimeout time.Duration = 1<<63 - 1

// Reservation is room for answers. A Reservation is safe for concurrent use.
type Reservation struct {
	memory  *Memory
	timeout time.Duration

	mu    sync.Mutex
	bytes int64 // of all answers
	held  int64 // of the semaphore
}

// reserve reserves room for so many bytes more. A reservation that holds something
// already does not wait, since two of these could wait for each other.
func (r *Reservation) reserve(ctx context.Context, bytes int) *Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.memory.weight(r.bytes+int64(bytes)) - r.held
	if n > 0 && !r.memory.answers.TryAcquire(n) && (r.held > 0 || !r.wait(ctx, n)) {
		return ErrMemory
	}
	r.bytes += int64(bytes)
	r.held += n
	return nil
}

// wait reports whether there was room before the timeout and the end of ctx.
func (r *Reservation) wait(ctx context.Context, n int64) bool {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	return r.memory.answers.Acquire(ctx, n) == nil
}

// Release releases everything, once the answers are written.
func (r *Reservation) Release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.memory.answers.Release(r.held)
	r.bytes, r.held = 0, 0
}

type reservationKey struct{}

// WithReservation returns the context of a call whose answer is held by r.
func WithReservation(ctx context.Context, r *Reservation) context.Context {
	return context.WithValue(ctx, reservationKey{}, r)
}

// ReservationOf returns the reservation of a call with this context, nil if it has none.
func ReservationOf(ctx context.Context) *Reservation {
	r, _ := ctx.Value(reservationKey{}).(*Reservation)
	return r
}

// ReserveText reserves room for a text of so many bytes that an agent is to get. The
// error is [ErrMemory].
func ReserveText(ctx context.Context, bytes int) *Error {
	return reserveAnswer(ctx, textFactor*bytes)
}

// reserveAnswer reserves memory for the answer to the call with this context. A call
// without a reservation, such as that of a command, is not bounded.
func reserveAnswer(ctx context.Context, bytes int) *Error {
	if r := ReservationOf(ctx); r != nil {
		return r.reserve(ctx, bytes)
	}
	return nil
}
