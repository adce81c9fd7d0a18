package rpc

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// large is params that, while they are checked, take more than half of what all
// params of testMemory may.
const large = 40_000

func testMemory() *Memory { return NewMemory(4 << 20) }

// requireFree fails unless nothing is held any more.
func requireFree(t *testing.T, m *Memory) {
	t.Helper()
	if !m.params.TryAcquire(m.part) || !m.answers.TryAcquire(m.part) {
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
	if !errors.Is(failure, errMemory) {
		t.Fatalf("got %v, want %v", failure, errMemory)
	}
}

func TestNoMemoryBoundsNothing(t *testing.T) {
	t.Parallel()
	s := (*Memory)(nil).Share(Endless)
	requireRoom(t, s.Arrive(t.Context(), 1<<40))
	requireRoom(t, s.Check(t.Context(), 1<<40, 1<<40))
	requireRoom(t, s.Hold(t.Context(), 1<<40))
	s.Answered(1 << 40)
	if !s.Use() {
		t.Error("a share that bounds nothing cannot be used")
	}
	s.Release()
	if got := ShareOf(WithShare(t.Context(), s)); got != nil {
		t.Errorf("the context has %v", got)
	}
}

func TestSmallRequestsNeverWait(t *testing.T) {
	t.Parallel()
	m := NewMemory(1)
	for range 100 {
		s := m.Share(Endless)
		requireRoom(t, s.Check(t.Context(), unclaimed/whileChecked, 0))
		requireRoom(t, s.Hold(t.Context(), unclaimed/onceMade))
	}
	requireFree(t, m)
}

func TestParamsWaitForRoom(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := testMemory()
		first, second := m.Share(Endless), m.Share(Endless)
		requireRoom(t, first.Check(t.Context(), large, 0))
		admitted := false
		go func() {
			admitted = second.Check(t.Context(), large, 0) == nil
		}()
		synctest.Wait()
		if admitted {
			t.Error("two large requests are checked at a time")
		}
		first.checked(large)
		synctest.Wait()
		if !admitted {
			t.Error("params that have been checked take the room of others")
		}
		first.Release()
		second.Release()
		requireFree(t, m)
	})
}

func TestPatienceEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := testMemory()
		holder, waiter := m.Share(Endless), m.Share(Patience(20*time.Second))
		requireRoom(t, holder.Hold(t.Context(), 250_000))
		start := time.Now()
		requireRefusal(t, waiter.Hold(t.Context(), 250_000))
		if waited := time.Since(start); waited != 20*time.Second {
			t.Errorf("it waited for %v", waited)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		requireRefusal(t, m.Share(Endless).Hold(ctx, 250_000))
		holder.Release()
		requireRoom(t, waiter.Hold(t.Context(), 250_000)) // what was refused is not held against it
		waiter.Release()
		requireFree(t, m)
	})
}

// What holds an answer must not wait, even without end: two of these could wait for
// each other.
func TestHolderOfAnAnswerIsRefused(t *testing.T) {
	t.Parallel()
	m := testMemory()
	first, second := m.Share(Endless), m.Share(Endless)
	requireRoom(t, first.Hold(t.Context(), 120_000))
	requireRoom(t, second.Hold(t.Context(), 120_000))
	requireRefusal(t, first.Hold(t.Context(), 120_000))
	requireRefusal(t, second.Hold(t.Context(), 120_000))
	second.made(4*120_000, 0)
	requireRoom(t, first.Hold(t.Context(), 120_000))
	first.Release()
	second.Release()
	requireFree(t, m)
}

func TestWhatIsTooLargeIsAdmittedAlone(t *testing.T) {
	t.Parallel()
	m := testMemory()
	s := m.Share(Endless)
	requireRoom(t, s.Arrive(t.Context(), 1<<30))
	requireRoom(t, s.Check(t.Context(), 1<<30, 1<<30))
	if m.params.TryAcquire(1) {
		t.Error("there is room beside it")
	}
	s.checked(1 << 30)
	s.Answered(1 << 30)
	requireFree(t, m)
}

func TestShareLastsUntilItsLastUser(t *testing.T) {
	t.Parallel()
	m := testMemory()
	s := m.Share(Endless)
	requireRoom(t, s.Hold(t.Context(), 250_000))
	if !s.Use() {
		t.Fatal("it cannot be used")
	}
	s.Release()
	if m.answers.TryAcquire(m.part) {
		t.Error("it was given back while somebody used it")
	}
	s.Release()
	if s.Use() {
		t.Error("it is used after it was given back")
	}
	requireRefusal(t, s.Hold(t.Context(), 1))
	requireFree(t, m)
}
