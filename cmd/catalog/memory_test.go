//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"instruction-catalog/rpc/rpctest"
)

// TestBatchMemory sends a batch whose answers do not fit into memory. Those that fit
// are sent; the others are errors that say how to get the answer.
func TestBatchMemory(t *testing.T) {
	rpctest.Long(t)
	t.Parallel()
	p := build(t)
	dir := generate(t, 2000, 2<<10)
	tests := map[string]struct {
		members int
		params  string
	}{
		"bodies": {250, `{"fields":["body"]}`},
		"whole":  {1000, `{}`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := p.serve(t, dir)
			s.send(batch(tt.members, "instructions/list", tt.params))
			answers := s.receiveBatch()
			if len(answers) != tt.members || answers[0].Error != nil {
				t.Fatalf("%d answers, the first is the error %+v", len(answers), answers[0].Error)
			}
			refused := 0
			for i, a := range answers {
				if string(a.ID) != strconv.Itoa(i) || (a.Error == nil) == (len(a.Result) < 2000*2<<10) {
					t.Fatalf("answer %d has the id %s, %d bytes and the error %+v", i, a.ID, len(a.Result), a.Error)
				}
				if a.Error != nil {
					refused++
					expectBatchTooLarge(t, a.Error)
				}
			}
			most := s.memory("VmHWM")
			t.Logf("%d of %d refused, %d MiB in memory", refused, tt.members, most>>20)
			if most > batchBound {
				t.Errorf("%d MiB in memory", most>>20)
			}
			if a := s.call("instructions/list", tt.params); a.Error != nil {
				t.Errorf("the session did not go on: %.300s", a.line)
			}
			s.end()
		})
	}
}

// batchBound is the maximum memory of a server that answers a batch, in bytes.
const batchBound = 500 << 20

// batch returns a line of n requests with the ids 0 to n-1.
func batch(n int, method, params string) string {
	var members []string
	for i := range n {
		members = append(members, strings.TrimSpace(request(i, method, params)))
	}
	return "[" + strings.Join(members, ",") + "]\n"
}

// receiveBatch reads one line, which must be an array of responses. It reads no more
// than the server may hold.
func (s *session) receiveBatch() (answers []response) {
	s.t.Helper()
	var line []byte
	for !bytes.HasSuffix(line, []byte("\n")) {
		part, err := s.out.ReadSlice('\n')
		line = append(line, part...)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			s.t.Fatalf("no answer: %v, after %d bytes", err, len(line))
		}
		if len(line) > batchBound {
			s.t.Fatalf("the answer to a batch has more than %d MiB", batchBound>>20)
		}
	}
	if err := json.Unmarshal(line, &answers); err != nil {
		s.t.Fatalf("this is no array of responses: %.500q (%v)", line, err)
	}
	return answers
}

// expectBatchTooLarge expects the error that says what to do next.
func expectBatchTooLarge(t *testing.T, e *responseError) {
	t.Helper()
	for _, text := range []string{e.Message, string(e.Data)} {
		for _, word := range []string{"longer than 64 MiB", "send it by itself", "request less at once"} {
			if !strings.Contains(text, word) {
				t.Fatalf("the error %d %q does not say %q", e.Code, text, word)
			}
		}
	}
}

// TestLoadsLate watches a catalog's folder while a server starts. The server must not
// open anything there before a call needs an entry.
func TestLoadsLate(t *testing.T) {
	t.Parallel()
	p := build(t)
	dir := fixture(t)
	opened := watchOpens(t, dir)
	s := p.serve(t, dir)
	for range 2 {
		if a := s.call("health/check", "{}"); !strings.Contains(string(a.Result), `"status":"ok"`) {
			t.Errorf("answered %.300s", a.line)
		}
		s.call("rpc.discover", "{}")
	}
	if opened() {
		t.Error("something was opened before a call needs it")
	}
	s.call("instructions/list", "{}")
	if !opened() {
		t.Error("the list was answered, and nothing was seen to be opened: the test sees nothing")
	}
	s.end()
}

// TestFolderComesLater starts a server on a folder that does not exist yet.
func TestFolderComesLater(t *testing.T) {
	t.Parallel()
	p := build(t)
	dir := filepath.Join(t.TempDir(), "later")
	s := p.serve(t, dir, "--no-watch")
	if a := s.call("health/check", "{}"); !strings.Contains(string(a.Result), `"status":"ok"`) {
		t.Errorf("answered %.300s", a.line)
	}
	if err := os.CopyFS(dir, os.DirFS("testdata/catalog")); err != nil {
		t.Fatal(err)
	}
	if a := s.call("instructions/list", "{}"); !strings.Contains(string(a.Result), `"id":"secrets"`) {
		t.Errorf("answered %.300s", a.line)
	}
	s.end()
	if s.stderr.Len() > 0 {
		t.Errorf("standard error:\n%s", &s.stderr)
	}
}

// watchOpens returns a function that reports whether dir or a file in it was opened
// since the function was last called; see inotify(7).
func watchOpens(t *testing.T, dir string) func() bool {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	if _, err := syscall.InotifyAddWatch(fd, dir, syscall.IN_OPEN); err != nil {
		t.Fatal(err)
	}
	return func() bool {
		t.Helper()
		events := make([]byte, 64<<10)
		n, err := syscall.Read(fd, events)
		if err != nil && !errors.Is(err, syscall.EAGAIN) {
			t.Fatal(err)
		}
		return n > 0
	}
}
