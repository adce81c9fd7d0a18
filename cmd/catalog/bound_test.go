//go:build linux

package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"instruction-catalog/rpc/rpctest"
)

// boundOfMemory is the maximum memory that a server may use beyond its use just after
// loading: the limit of --memory, and what its runtime needs in addition.
const boundOfMemory = 256<<20 + 64<<20

// bodies returns a catalog whose list with all bodies has 9 MB.
func bodies(t *testing.T) string { return generate(t, 900, 10<<10) }

const all = `{"limit":1000,"fields":["body"]}`

// TestMemoryOfParams sends 16 slow calls at once, each with 2 MB of params that need
// the most memory when they are checked.
func TestMemoryOfParams(t *testing.T) {
	rpctest.Long(t)
	t.Parallel()
	s := build(t).serve(t, bodies(t))
	before := s.settle(request(1, "instructions/list", all))
	const calls = 16
	params := `{"detail":[` + strings.Repeat(`{"a":1},`, 240_000) + `0]}`
	go func() {
		for id := range calls {
			if _, err := io.WriteString(s.in, request(id, "integrity/verify", params)); err != nil {
				t.Error(err)
			}
		}
	}()
	for range calls {
		if a := s.receive(); a.Error == nil || a.Error.Code != -32602 {
			t.Fatalf("answered %.300s", a.line)
		}
	}
	s.within(before)
	s.end()
}

// TestMemoryOfAnswers makes 200 concurrent calls, alternately as an agent and bare,
// whose answers have 9 MB each. It reads nothing until the server is idle.
func TestMemoryOfAnswers(t *testing.T) {
	rpctest.Long(t)
	t.Parallel()
	s := build(t).serve(t, drifting(t), "--tools", "all")
	s.send(agentsCall(1, "integrity_verify", "{}"))
	if a := s.receive(); len(a.Result) < 9_000_000 {
		t.Fatalf("%d bytes of %.300s", len(a.Result), a.line)
	}
	before := s.memory("VmHWM")
	const calls = 200
	var sent atomic.Int64
	go func() {
		for id := range calls {
			line := request(id, "integrity/verify", "{}")
			if id%2 == 0 {
				line = agentsCall(id, "integrity_verify", "{}")
			}
			if _, err := io.WriteString(s.in, line); err != nil {
				return // the test has ended; most answers were not read
			}
			sent.Add(1)
		}
	}()
	still(t, func() int64 { return sent.Load() + processTime(t, s.cmd.Process.Pid) })
	s.within(before)
}

// drifting returns a catalog for which integrity/verify answers 9 MB, because it
// repeats the hashes that the files record.
func drifting(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for i := range 9 {
		text := fmt.Sprintf(`{"id":"entry-%d","title":"T","body":"b","sourceHash":"%s"}`, i, strings.Repeat("x", 1_000_000))
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("entry-%d.json", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// agentsCall returns a line with a tool call.
func agentsCall(id int, tool, arguments string) string {
	return request(id, "tools/call", `{"name":"`+tool+`","arguments":`+arguments+
		`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`)
}

// settle sends a line, so that the catalog is loaded, and returns the server's memory
// afterwards.
func (s *session) settle(line string) int {
	s.t.Helper()
	s.send(line)
	s.receive()
	return s.memory("VmHWM")
}

// within checks that the server's peak memory did not exceed before by more than the
// bound.
func (s *session) within(before int) {
	s.t.Helper()
	most := s.memory("VmHWM")
	s.t.Logf("%d MB at first, and %d MB at most", before>>20, most>>20)
	if most-before > boundOfMemory {
		s.t.Errorf("%d MB at first, and %d MB at most", before>>20, most>>20)
	}
}

// still returns once a number has not changed for a second.
func still(t *testing.T, number func() int64) {
	t.Helper()
	for last, same := int64(-1), 0; same < 20 && t.Context().Err() == nil; time.Sleep(50 * time.Millisecond) {
		now := number()
		if same++; now != last {
			last, same = now, 0
		}
	}
}

// processTime returns the CPU time of a process, in clock ticks.
func processTime(t *testing.T, pid int) int64 {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+2:]))
	var user, system int64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		t.Fatal(err)
	}
	return user + system
}

// TestMemoryOfClients has 120 clients request 9 MB over HTTP and read only the
// beginning of the answer.
func TestMemoryOfClients(t *testing.T) {
	rpctest.Long(t)
	t.Parallel()
	server := build(t).listen(t, "--dir", bodies(t))
	s := &session{t: t, cmd: server.cmd}
	if text := server.tool("", "instructions_list", all); len(text) < 9_000_000 {
		t.Fatalf("%d bytes of %.300s", len(text), text)
	}
	before := s.memory("VmHWM")
	const clients = 120
	var answered, refused atomic.Int64
	var asking sync.WaitGroup
	for range clients {
		conn := server.dialNarrow()
		asking.Go(func() {
			writeCall(conn, "instructions_list", agentsCall(1, "instructions_list", all))
			text, err := bufio.NewReader(conn).Peek(1024) // a refusal is shorter, and ends
			switch {
			case strings.Contains(string(text), "--memory"):
				refused.Add(1)
			case strings.HasPrefix(string(text), "HTTP/1.1 200"):
				answered.Add(1)
			default:
				t.Errorf("%q (%v)", text, err)
			}
		})
	}
	asking.Wait()
	t.Logf("%d answers have begun, %d were refused", answered.Load(), refused.Load())
	if answered.Load() == 0 {
		t.Error("nobody was answered")
	}
	s.within(before)
	if status, _ := server.get("/healthz"); status != 200 {
		t.Errorf("/healthz: %d", status)
	}
}

// dialNarrow connects with a small receive buffer.
func (s *httpServer) dialNarrow() net.Conn {
	s.t.Helper()
	dialer := net.Dialer{Control: func(_, _ string, raw syscall.RawConn) error {
		return raw.Control(func(fd uintptr) { _ = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4096) })
	}}
	conn, err := dialer.DialContext(s.t.Context(), "tcp", s.host)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	return conn
}
