package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"

	"instruction-catalog/schemas"
)

// large is a length of params, in bytes, that needs more than half of testMemory's memory for
// params.
const large = 40_000

func testMemory() *Memory { return NewMemory(4 << 20) }

// requireFree fails the test if any memory is still reserved.
func requireFree(t *testing.T, m *Memory) {
	t.Helper()
	if !m.params.TryAcquire(m.size) || !m.answers.TryAcquire(m.size) {
		t.Error("something is still held")
	}
}

func requireRoom(t *testing.T, failure *Error) {
	t.Helper()
	if failure != nil {
		t.Fatalf("got %v, want room", failure)
	}
}

func requireRefusal(t *testing.T, failure *Error) {
	t.Helper()
	if !errors.Is(failure, ErrMemory) {
		t.Fatalf("got %v, want %v", failure, ErrMemory)
	}
}

func TestCallsWithoutReservationAreNotBounded(t *testing.T) {
	t.Parallel()
	requireRoom(t, ReserveText(t.Context(), 1<<40))
}

func TestSmallRequestsNeverWait(t *testing.T) {
	t.Parallel()
	m := NewMemory(1)
	for range 100 {
		_, failure := m.ReserveParams(t.Context(), unreserved/paramsFactor)
		requireRoom(t, failure)
		requireRoom(t, m.Answers(NoTimeout).reserve(t.Context(), unreserved))
	}
	requireFree(t, m)
}

func TestParamsWaitForRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := testMemory()
		release, failure := m.ReserveParams(t.Context(), large)
		requireRoom(t, failure)
		admitted := make(chan func(), 1)
		go func() {
			release, failure := m.ReserveParams(t.Context(), large)
			if failure != nil {
				t.Error(failure)
			}
			admitted <- release
		}()
		synctest.Wait()
		if len(admitted) > 0 {
			t.Error("two large requests are admitted at a time")
		}
		release()
		release() // again does nothing
		(<-admitted)()
		requireFree(t, m)
	})
}

func TestParamsWaitUntilTheContextEnds(t *testing.T) {
	t.Parallel()
	m := testMemory()
	release, failure := m.ReserveParams(t.Context(), large)
	requireRoom(t, failure)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, failure = m.ReserveParams(ctx, large)
	requireRefusal(t, failure)
	release()
	requireFree(t, m)
}

// TestRoomNeedsNoTime checks that available memory is reserved even if the timeout has passed. On
// a slow machine it may pass before the reservation is made.
func TestRoomNeedsNoTime(t *testing.T) {
	t.Parallel()
	m := testMemory()
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	release, failure := m.ReserveParams(ctx, large)
	requireRoom(t, failure)
	release()
	answers := m.Answers(0)
	requireRoom(t, answers.reserve(ctx, 1_000_000))
	answers.Release()
	requireFree(t, m)
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := testMemory()
		holder := m.Answers(NoTimeout)
		requireRoom(t, holder.reserve(t.Context(), 1_000_000))
		for _, timeout := range []time.Duration{0, 20 * time.Second} {
			start := time.Now()
			requireRefusal(t, m.Answers(timeout).reserve(t.Context(), 1_000_000))
			if waited := time.Since(start); waited != timeout {
				t.Errorf("it waited for %v, want %v", waited, timeout)
			}
		}
		waiter := m.Answers(NoTimeout)
		go func() {
			time.Sleep(time.Hour)
			holder.Release()
		}()
		requireRoom(t, waiter.reserve(t.Context(), 1_000_000))
		waiter.Release()
		requireFree(t, m)
	})
}

// TestHolderOfAnAnswerIsRefused checks that a reservation that holds an answer does not wait, even
// with NoTimeout: two such reservations could wait for each other.
func TestHolderOfAnAnswerIsRefused(t *testing.T) {
	t.Parallel()
	m := testMemory()
	first, second := m.Answers(NoTimeout), m.Answers(NoTimeout)
	requireRoom(t, first.reserve(t.Context(), 500_000))
	requireRoom(t, second.reserve(t.Context(), 500_000))
	requireRefusal(t, first.reserve(t.Context(), 500_000))
	requireRefusal(t, second.reserve(t.Context(), 500_000))
	second.Release()
	requireRoom(t, first.reserve(t.Context(), 500_000))
	first.Release()
	requireFree(t, m)
}

// TestAnswersOfABatchAddUp checks that the answers of a batch are added up, even if each is small.
// A batch that uses all memory may continue, but no other reservation is admitted.
func TestAnswersOfABatchAddUp(t *testing.T) {
	t.Parallel()
	m := testMemory()
	batch := m.Answers(NoTimeout)
	for range 100 {
		requireRoom(t, batch.reserve(t.Context(), unreserved/2))
	}
	if batch.held != m.size || batch.bytes != 50*unreserved {
		t.Errorf("%d of %d bytes are reserved", batch.held, batch.bytes)
	}
	batch.Release()
	requireFree(t, m)
}

func TestWhatIsTooLargeIsAdmittedAlone(t *testing.T) {
	t.Parallel()
	m := testMemory()
	release, failure := m.ReserveParams(t.Context(), 1<<40)
	requireRoom(t, failure)
	if m.params.TryAcquire(1) {
		t.Error("there is room beside it")
	}
	release()
	requireFree(t, m)
}

type sizedResult struct {
	size    [2]int
	encoded *bool
}

func (s sizedResult) Size() (total, made int) { return s.size[0], s.size[1] }

func (s sizedResult) EncodeJSON() JSON {
	*s.encoded = true
	return JSON{[]byte(`{}`)}
}

func (s sizedResult) Shape() any { return struct{}{} }

// TestAnswersAreReserved checks that a Sized result is not encoded if no memory is available, and
// that it needs more memory for an agent.
func TestAnswersAreReserved(t *testing.T) {
	t.Parallel()
	contract, err := schemas.Load(fstest.MapFS{"a.json": {Data: []byte(`{"title":"a","properties":{
		"params":{"type":"object"},"result":{"type":"object"}}}`)}})
	if err != nil {
		t.Fatal(err)
	}
	encoded := false
	r := NewRegistry(slog.New(slog.DiscardHandler), time.Now)
	err = r.Add(Toolset{Name: "test", Contract: Contract{Version: "1.0", Schemas: contract}, Methods: []Method{
		Declare(Method{Name: "a", Title: "t", Summary: "s", Doc: "d", Since: "1.0", Stability: Stable, Effect: Reads},
			func(context.Context, struct{}) (sizedResult, error) {
				return sizedResult{[2]int{100_000, 70_000}, &encoded}, nil
			}, nil),
	}})
	if err != nil {
		t.Fatal(err)
	}
	m := testMemory()
	for _, tt := range []struct {
		agent bool
		held  int64
	}{{false, 70_000}, {true, agentFactor * 100_000}} {
		call := func(ctx context.Context) *Error {
			if tt.agent {
				method, _ := r.Method("a")
				_, failure := r.CallTool(ctx, method, nil)
				return failure
			}
			_, failure := r.Call(ctx, "a", json.RawMessage("{}"))
			return failure
		}
		answers := m.Answers(0)
		requireRoom(t, call(WithReservation(t.Context(), answers)))
		if answers.held != tt.held || !encoded {
			t.Errorf("agent %v: %d bytes are reserved, want %d", tt.agent, answers.held, tt.held)
		}
		answers.Release()
		encoded = false
		all := m.Answers(0)
		requireRoom(t, all.reserve(t.Context(), int(m.size)))
		requireRefusal(t, call(WithReservation(t.Context(), m.Answers(0))))
		if encoded {
			t.Error("a result that finds no room was encoded")
		}
		all.Release()
	}
	requireFree(t, m)
}
