package stdio

import (
	"bytes"
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"instruction-catalog/rpc"
)

// TestReadsPassBlockedCalls checks that ordered calls keep their order until one of them is
// blocked, that then only reads are answered before it, and that this ends with the call.
func TestReadsPassBlockedCalls(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		toolset := &rpc.Toolset{BlockedAfter: time.Second}
		l := newLanes(t.Context(), newOutput(&bytes.Buffer{}).notices)
		var mu sync.Mutex
		var answered string
		run := func(name string, reads bool, until <-chan struct{}) {
			l.run(call{lane: rpc.Ordered, toolset: toolset, reads: reads, answer: func(context.Context) {
				if until != nil {
					<-until
				}
				mu.Lock()
				defer mu.Unlock()
				answered += name
			}})
		}
		answers := func(want string) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			expect(t, answered, want)
			answered = ""
		}
		release := make(chan struct{})
		run("write ", false, release)
		run("another ", false, nil)
		run("read ", true, nil)
		time.Sleep(toolset.BlockedAfter - 1)
		answers("")
		time.Sleep(time.Nanosecond)
		answers("read ")
		run("later ", true, nil)
		answers("later ")
		run("last ", false, nil)
		answers("")
		for range 2 * maxPending { // what was answered leaves room for more
			run("", true, nil)
		}
		close(release)
		answers("write another last ")

		release = make(chan struct{})
		run("slow ", false, release)
		run("read ", true, nil)
		answers("")
		close(release)
		answers("slow read ")
		l.running.Wait()
	})
}
