package tools_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/sqlite"
)

// TestCallsAreInOrder checks that a client that sends without waiting sees its earlier
// changes, bare and over MCP.
func TestCallsAreInOrder(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, store tasks.Store) {
		// However slow the disk is, no change counts as blocked.
		s := startWith(t, store, "ann", func(t *rpc.Toolset) { t.BlockedAfter = 0 })
		s.initialize()
		const n = 20
		var lines bytes.Buffer
		for i := range n {
			fmt.Fprintf(&lines, `{"jsonrpc":"2.0","id":"a%d","method":"tasks/add_task","params":{"title":"%d"}}`+"\n", i, i)
			fmt.Fprintf(&lines, `{"jsonrpc":"2.0","id":"b%d","method":"tools/call","params":{"name":"list_tasks"}}`+"\n", i)
		}
		go s.in.Write(lines.Bytes())
		for i := range n {
			s.next(fmt.Sprintf(`"a%d"`, i))
			if got := strings.Count(string(s.next(fmt.Sprintf(`"b%d"`, i))), `"completed"`); got != i+1 {
				t.Errorf("after %d tasks were added, %d are listed", i+1, got)
			}
		}
	})
}

// next reads the next answer, which must have the given id, and returns its structured
// content, if any.
func (s *session) next(id string) json.RawMessage {
	s.t.Helper()
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	var a struct {
		ID     json.RawMessage
		Result struct{ StructuredContent json.RawMessage }
	}
	if err := json.Unmarshal(line, &a); err != nil || string(a.ID) != id {
		s.t.Fatalf("want the answer to %s: %s", id, line)
	}
	return a.Result.StructuredContent
}

// TestALockHoldsUpTheToolsetAlone checks that other methods are answered while a task
// waits for the database, and that a call cancelled while waiting is never made.
func TestALockHoldsUpTheToolsetAlone(t *testing.T) {
	t.Parallel()
	store, release := locked(t)
	s := start(t, store, "ann")
	s.initialize()
	fmt.Fprintln(s.in, `{"jsonrpc":"2.0","id":"add","method":"tasks/add_task","params":{"title":"two"}}`)
	fmt.Fprintln(s.in, `{"jsonrpc":"2.0","id":"not","method":"tools/call","params":{"name":"add_task","arguments":{"title":"not this"}}}`)
	fmt.Fprintln(s.in, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"not"}}`)
	fmt.Fprintln(s.in, `{"jsonrpc":"2.0","id":"ping","method":"ping"}`)
	s.next(`"ping"`)
	release()
	s.next(`"add"`)
	fmt.Fprintln(s.in, `{"jsonrpc":"2.0","id":"list","method":"tools/call","params":{"name":"list_tasks"}}`)
	if got := string(s.next(`"list"`)); strings.Count(got, `"completed"`) != 2 || strings.Contains(got, "not this") {
		t.Errorf("listed %s", got)
	}
}

// TestAListPassesABlockedChange checks that a list is answered while an earlier change of
// the session waits for the database, bare and over MCP, and that changes keep their order.
func TestAListPassesABlockedChange(t *testing.T) {
	t.Parallel()
	store, release := locked(t)
	s := start(t, store, "ann")
	s.initialize()
	for _, title := range []string{"two", "three"} {
		fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":"%s","method":"tasks/add_task","params":{"title":"%[1]s"}}`+"\n", title)
		fmt.Fprintln(s.in, `{"jsonrpc":"2.0","id":"mcp","method":"tools/call","params":{"name":"list_tasks"}}`)
		if got := string(s.next(`"mcp"`)); strings.Count(got, `"completed"`) != 1 {
			t.Errorf("listed %s", got)
		}
		if got := s.bare("list_tasks", ""); strings.Count(got.value, `"completed"`) != 1 {
			t.Errorf("listed %s", got.value)
		}
	}
	release()
	s.next(`"two"`)
	s.next(`"three"`)
	if got := s.bare("list_tasks", ""); strings.Count(got.value, `"completed"`) != 3 {
		t.Errorf("listed %s", got.value)
	}
}

// locked returns a store with one task of ann, with its write lock held by another
// connection.
func locked(t *testing.T) (store tasks.Store, release func()) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tasks.db")
	store, err := sqlite.New(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	ann := tasks.For(store.Repository("ann"))
	if _, err := ann.Add(t.Context(), "one", ""); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(context.Background(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return store, func() {
		if _, err := conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
}

// TestWaitingCounts checks that the time limit of a call starts when it is read. A call
// whose time has passed before its turn fails like the one it waited for, bare and over
// MCP, and is never made.
func TestWaitingCounts(t *testing.T) {
	t.Parallel()
	store, release := locked(t)
	s := startWith(t, store, "ann", func(t *rpc.Toolset) { t.Limit, t.BlockedAfter = 500*time.Millisecond, 0 })
	s.initialize()
	begun := time.Now()
	for i := range 4 {
		fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":"bare %d","method":"tasks/add_task","params":{"title":"x"}}`+"\n", i)
		fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":"mcp %d","method":"tools/call","params":{"name":"add_task","arguments":{"title":"x"}}}`+"\n", i)
	}
	fmt.Fprintln(s.in, `{"jsonrpc":"2.0","id":"list","method":"tasks/list_tasks"}`)
	for range 9 {
		line, err := s.out.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		want := `{"error":"Failed to create task"}`
		if strings.Contains(line, `"id":"list"`) {
			want = `{"error":"Failed to list tasks"}`
		}
		if !strings.Contains(line, want) {
			t.Errorf("want %s: %s", want, line)
		}
	}
	// One call alone would take the whole usual limit.
	if took := time.Since(begun); took > tasks.Limit/2 {
		t.Errorf("the answers took %v", took)
	}
	release()
	fmt.Fprintln(s.in, `{"jsonrpc":"2.0","id":"after","method":"tools/call","params":{"name":"list_tasks"}}`)
	if got := string(s.next(`"after"`)); strings.Count(got, `"completed"`) != 1 {
		t.Errorf("listed %s", got)
	}
}
