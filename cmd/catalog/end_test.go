package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// full returns the write end of a full pipe that nobody reads.
func full(t *testing.T) *os.File {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	for _, size := range []int{4096, 1} {
		for err = error(nil); err == nil; {
			_ = w.SetWriteDeadline(time.Now().Add(50 * time.Millisecond))
			_, err = w.Write(make([]byte, size))
		}
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatal(err)
		}
	}
	return w
}

// unread starts the program in a folder, with a standard error that nobody reads.
func (p program) unread(t *testing.T, dir string, args ...string) *session {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), guard)
	s := &session{t: t, ctx: ctx, cmd: exec.CommandContext(ctx, string(p), args...)}
	s.cmd.Dir, s.cmd.Stderr = dir, full(t)
	s.cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
	s.run(cancel)
	return s
}

// TestUnreadLog checks that a server with a full standard error answers, and ends when
// it is asked to.
func TestUnreadLog(t *testing.T) {
	t.Parallel()
	needSignals(t)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "instructions"), os.DirFS(fixture(t))); err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(dir, "below")
	if err := os.Mkdir(below, 0o755); err != nil {
		t.Fatal(err)
	}
	s := build(t).unread(t, below, "serve") // it logs which folder it reads, because that is a parent folder
	if answer := s.call("instructions/list", "{}"); answer.Error != nil {
		t.Errorf("answered %s", answer.line)
	}
	s.signal(syscall.SIGTERM)
	s.endsInTime(exitClean)
}

// TestEndUnread checks that the time limit for ending holds even if nobody reads the
// answers or the log.
func TestEndUnread(t *testing.T) {
	t.Parallel()
	needSignals(t)
	s := build(t).unread(t, t.TempDir(), "serve", "--dir", generate(t, 10, 40<<10))
	s.send(request(1, "instructions/list", "{}") + request(2, "instructions/list", "{}") + request(3, "instructions/list", "{}"))
	if _, err := s.out.Peek(1); err != nil {
		t.Fatal(err)
	}
	s.signal(syscall.SIGTERM)
	s.endsInTime(exitFailed)
}

// TestEndUnreadHTTP checks the same over HTTP, where a request body may also be
// incomplete.
func TestEndUnreadHTTP(t *testing.T) {
	t.Parallel()
	needSignals(t)
	s := build(t).listen(t, "--dir", generate(t, 100, 100<<10))
	s.begin() // a request that does not end
	for range 3 {
		conn, err := net.Dial("tcp", s.host)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		call := strings.ReplaceAll(search, `"q":"error"`, `"q":"a","limit":1000`)
		writeCall(conn, "instructions_search", call)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	ended := &session{t: t, cmd: s.cmd}
	ended.endsInTime(exitFailed)
}

// writeCall writes a request for a tool call that asks to close the connection.
func writeCall(w io.Writer, tool, body string) {
	fmt.Fprintf(w, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
		"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: %s\r\nContent-Length: %d\r\n\r\n%s", tool, len(body), body)
}

// endsInTime waits until the program has ended with this code. The bound is far longer
// than the five seconds that a server may take.
func (s *session) endsInTime(code int) {
	s.t.Helper()
	s.ended = true
	ended := make(chan struct{})
	go func() {
		_ = s.cmd.Wait() // the exit code is checked instead
		close(ended)
	}()
	start := time.Now()
	select {
	case <-ended:
	case <-time.After(guard / 2):
		s.t.Fatal("it does not end")
	}
	s.t.Logf("ended after %v", time.Since(start))
	if got := s.cmd.ProcessState.ExitCode(); got != code {
		s.t.Errorf("exit code %d, want %d", got, code)
	}
}

// TestBacklog checks that lines that do not fit are counted where they are missing.
func TestBacklog(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	b := newBacklog(w)
	const lines = 10
	for i := range lines {
		if _, err := b.Write(fmt.Appendf(nil, "%s %d\n", strings.Repeat("x", maxBacklog/4), i)); err != nil {
			t.Fatal(err)
		}
	}
	go func() {
		b.end(guard)
		w.Close()
	}()
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	next, dropped := 0, 0
	for line := range strings.Lines(string(text)) {
		var n int
		if _, err := fmt.Sscanf(line, "catalog: %d lin", &n); err == nil {
			dropped += n
			next += n
			continue
		}
		if !strings.HasSuffix(line, fmt.Sprintf("x %d\n", next)) {
			t.Fatalf("%.100q stands in the place of line %d", line, next)
		}
		next++
	}
	if next != lines || dropped == 0 {
		t.Errorf("%d lines arrived or were counted as dropped, and %d dropped", next, dropped)
	}
}
