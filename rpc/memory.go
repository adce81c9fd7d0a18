package rpc

import (
	"context"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// DefaultMemory is the default limit of a [Memory], in bytes.
const DefaultMemory = 256 << 20

// The factors estimate how many bytes of memory are used per byte of input or output.
// They were measured with heap profiles.
const (
	paramsFactor = 20 // for params: decoded, checked against the schema, and as a typed value
	agentFactor  = 8  // for a result for an agent: text and result, each once by itself and twice in a message
	textFactor   = 4  // for a text for an agent
)

// unreserved is how many bytes a request may use without reserving them. Nearly all
// requests use less and so never wait.
const unreserved = 64 << 10

// Memory limits the memory that all requests of a server use together, over all protocols
// and lanes: for params until their call has ended, and for answers until they are
// written.
//
// A quarter of the limit is for params and a quarter for answers. The other half is for
// garbage, since there may be as much garbage as live memory. Params and answers have
// separate quarters because a call that waits for memory for its answer still holds its
// params. A request that needs more than a quarter is admitted when no other reservation
// is held. A Memory is safe for concurrent use.
type Memory struct {
	size            int64 // of each semaphore, in bytes
	params, answers *semaphore.Weighted
}

// NewMemory returns a Memory with the given limit in bytes.
func NewMemory(bytes int64) *Memory {
	size := max(bytes/4, 1)
	return &Memory{size: size, params: semaphore.NewWeighted(size), answers: semaphore.NewWeighted(size)}
}

// ErrMemory is the answer to a call if no memory is available for its params or answer.
var ErrMemory = NewError(Unavailable, "the server holds as many params and answers as --memory allows: "+
	"call again later, or request less at once, such as a page or some fields", nil)

// ReserveParams reserves memory for params of the given length in bytes. It waits until
// the memory is available or ctx is done; in the latter case failure is [ErrMemory]. Call
// release when the params are no longer in use. release may be called more than once.
func (m *Memory) ReserveParams(ctx context.Context, bytes int) (release func(), failure *Error) {
	n := m.weight(paramsFactor * int64(bytes))
	if n == 0 {
		return func() {}, nil
	}
	// Acquire fails once ctx is done, even if memory is available.
	if !m.params.TryAcquire(n) && m.params.Acquire(ctx, n) != nil {
		return nil, ErrMemory
	}
	return sync.OnceFunc(func() { m.params.Release(n) }), nil
}

// weight returns how much of a semaphore to acquire for the given number of bytes.
func (m *Memory) weight(bytes int64) int64 {
	if bytes <= unreserved {
		return 0
	}
	return min(bytes, m.size)
}

// Answers returns an empty reservation for the answer to one request, or for all answers
// to a batch. It waits for memory for at most timeout, or not at all if timeout is 0.
func (m *Memory) Answers(timeout time.Duration) *Reservation {
	return &Reservation{memory: m, timeout: timeout}
}

// NoTimeout lets a reservation wait until the context of the call is done.
const NoTimeout time.Duration = 1<<63 - 1

// Reservation is memory reserved for answers. It is safe for concurrent use.
type Reservation struct {
	memory  *Memory
	timeout time.Duration

	mu    sync.Mutex
	bytes int64 // of all answers
	held  int64 // the weight acquired from the semaphore
}

// reserve reserves the given number of additional bytes. It does not wait if the
// reservation holds memory already, since two such reservations could wait for each
// other. The error is [ErrMemory].
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

// wait waits for memory and reports whether it acquired it before the timeout and before
// ctx was done.
func (r *Reservation) wait(ctx context.Context, n int64) bool {
	ctx, cancel := context.WithTimeout(ctx, r.timeout)
	defer cancel()
	return r.memory.answers.Acquire(ctx, n) == nil
}

// Release releases all reserved memory. Call it when the answers are written.
func (r *Reservation) Release() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.memory.answers.Release(r.held)
	r.bytes, r.held = 0, 0
}

type reservationKey struct{}

// WithReservation returns the context of a call whose answer uses the reservation r.
func WithReservation(ctx context.Context, r *Reservation) context.Context {
	return context.WithValue(ctx, reservationKey{}, r)
}

// ReservationOf returns the reservation from the context of a call, or nil if the call
// has no reservation.
func ReservationOf(ctx context.Context) *Reservation {
	r, _ := ctx.Value(reservationKey{}).(*Reservation)
	return r
}

// ReserveText reserves memory for a text for an agent. bytes is the length of the text.
// The error is [ErrMemory].
func ReserveText(ctx context.Context, bytes int) *Error {
	return reserveAnswer(ctx, textFactor*bytes)
}

// reserveAnswer reserves memory for the answer to the call with this context. A call
// without a reservation, for example by a command, is not limited.
func reserveAnswer(ctx context.Context, bytes int) *Error {
	if r := ReservationOf(ctx); r != nil {
		return r.reserve(ctx, bytes)
	}
	return nil
}
