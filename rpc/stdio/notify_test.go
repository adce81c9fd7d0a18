package stdio

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"instruction-catalog/rpc"
)

func notification(name string) rpc.JSON { return rpc.JSON{[]byte(name)} }

// TestNotices: a notification waits until no answer is under way, and is dropped
// where nobody wants it by then.
func TestNotices(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var written bytes.Buffer
		n := newOutput(&written).notices
		n.send(t.Context(), notification("at once"))
		n.begin()
		n.begin()
		ctx, unsubscribe := context.WithCancel(t.Context())
		go n.send(t.Context(), notification("later"))
		go n.send(ctx, notification("never"))
		synctest.Wait()
		n.end()
		unsubscribe()
		synctest.Wait()
		expect(t, written.String(), "at once\n")
		n.end()
		synctest.Wait()
		expect(t, written.String(), "at once\nlater\n")
		n.stop()
		n.send(t.Context(), notification("too late"))
		expect(t, written.String(), "at once\nlater\n")
	})
}

// TestNotifyBetweenAnswers has a connection notified during a batch: what it is told
// comes after the answer.
func TestNotifyBetweenAnswers(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	told := make(chan error)
	var once sync.Once
	y.onEcho = func(ctx context.Context) {
		once.Do(func() {
			go func() { told <- rpc.ConnectionOf(ctx).Notify(ctx, "test/told", map[string]int{"n": 1}) }()
		})
		time.Sleep(20 * time.Millisecond) // in which it would be written, if it might
	}
	s := y.start(t, time.Minute)
	one := strings.TrimSuffix(requestLine(1, "test/echo", `{}`), "\n")
	s.send(t, "["+one+","+one+"]\n")
	answer := `{"jsonrpc":"2.0","id":1,"result":{"text":""}}`
	expect(t, s.receive(t), "["+answer+","+answer+"]")
	expect(t, s.receive(t), `{"jsonrpc":"2.0","method":"test/told","params":{"n":1}}`)
	if err := <-told; err != nil {
		t.Error(err)
	}
}
