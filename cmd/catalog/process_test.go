package main

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestEndOfInput sends 500 requests and ends the input. It expects 500 answers in order
// and exit code 0.
func TestEndOfInput(t *testing.T) {
	t.Parallel()
	p := build(t)
	s := p.serve(t, fixture(t), "--no-watch") // without watches, a system that has none would log a warning
	requests := []string{
		request(0, "instructions/list", "{}"), request(0, "instructions/get", `{"id":"secrets"}`),
		request(0, "usage/track", `{"id":"secrets"}`), request(0, "instructions/search", `{"q":"a"}`),
		request(0, "no/such", "{}"), request(0, "instructions/get", `[]`),
	}
	go func() {
		for i := range 500 {
			line := strings.Replace(requests[i%len(requests)], `"id":0`, fmt.Sprintf(`"id":%d`, i), 1)
			_, _ = io.WriteString(s.in, line) // a failure shows in the answers
		}
		s.in.Close()
	}()
	answers := s.drain()
	if code := s.wait(); code != exitClean || len(answers) != 500 || s.stderr.Len() > 0 {
		t.Fatalf("%d answers, exit code %d, standard error:\n%s", len(answers), code, &s.stderr)
	}
	for i, a := range answers {
		if string(a.ID) != strconv.Itoa(i) {
			t.Fatalf("answer %d has the id %s", i, a.ID)
		}
	}
}

// TestSlowMethods includes a slow method. Every request must be answered once, and the
// other answers stay in order.
func TestSlowMethods(t *testing.T) {
	t.Parallel()
	p := build(t)
	s := p.serve(t, fixture(t))
	go func() {
		for i := range 300 {
			method := "instructions/list"
			if i%3 == 0 {
				method = "integrity/verify"
			}
			_, _ = io.WriteString(s.in, request(i, method, "{}"))
		}
		s.in.Close()
	}()
	seen, last := map[int]bool{}, -1
	for _, a := range s.drain() {
		id, err := strconv.Atoi(string(a.ID))
		if err != nil || seen[id] || a.Error != nil {
			t.Fatalf("answered %.200s", a.line)
		}
		seen[id] = true
		if id%3 == 0 {
			continue
		}
		if id < last {
			t.Errorf("answer %d came after %d", id, last)
		}
		last = id
	}
	if code := s.wait(); code != exitClean || len(seen) != 300 {
		t.Errorf("%d answers, exit code %d", len(seen), code)
	}
}

// TestSignalInAnswer requests three answers, each larger than a pipe's buffer, and
// sends SIGTERM when the first has begun. All three must arrive completely.
func TestSignalInAnswer(t *testing.T) {
	t.Parallel()
	p := build(t)
	needSignals(t)
	s := p.serve(t, generate(t, 10, 40<<10))
	// One write of less than PIPE_BUF is atomic: a reader of a part has read all of it.
	s.send(request(1, "instructions/list", "{}") + request(2, "instructions/list", "{}") + request(3, "instructions/list", "{}"))
	if _, err := s.out.Peek(1); err != nil {
		t.Fatal(err)
	}
	s.signal(syscall.SIGTERM)
	for i := range 3 {
		answer := s.receive()
		if string(answer.ID) != strconv.Itoa(i+1) || len(answer.Result) < 400<<10 {
			t.Errorf("answer %d: id %s, %d bytes", i+1, answer.ID, len(answer.line))
		}
	}
	if rest := s.drain(); len(rest) > 0 || s.wait() != exitClean {
		t.Errorf("%d answers more, exit code %d, standard error:\n%s", len(rest), s.wait(), &s.stderr)
	}
}

// TestSignalWhileIdle expects a clean exit although the input stays open. A server that
// waited for its grace period would not exit with 0.
func TestSignalWhileIdle(t *testing.T) {
	t.Parallel()
	p := build(t)
	needSignals(t)
	for _, sig := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		s := p.serve(t, fixture(t))
		s.call("health/check", "{}")
		s.signal(sig)
		if rest := s.drain(); len(rest) > 0 || s.wait() != exitClean {
			t.Errorf("%v: %d answers more, exit code %d, standard error:\n%s", sig, len(rest), s.wait(), &s.stderr)
		}
	}
}

// TestSignalWhileReading ends a command that waits for its standard input.
func TestSignalWhileReading(t *testing.T) {
	t.Parallel()
	needSignals(t)
	p := build(t)
	var interrupt os.Signal = os.Interrupt
	if signal.Ignored(interrupt) { // as where a shell runs the tests in the background, and then by the program, too
		interrupt = syscall.SIGTERM
	}
	for _, args := range [][]string{{"review"}, {"diff", "--known", "-"}, {"call", "prompt/review", "-"}} {
		s := p.start(t, args...)
		s.send(strings.Repeat("x", 1<<20)) // more than a pipe's buffer, so the command is reading
		s.signal(interrupt)
		s.drain()
		if s.wait() == exitClean {
			t.Errorf("%v: a command that was interrupted reports success", args)
		}
	}
}

// TestUnreadAnswers requests thousands of answers and reads none. The server must stop
// reading, and its memory must stay bounded.
func TestUnreadAnswers(t *testing.T) {
	t.Parallel()
	p := build(t)
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc to see the memory of another process, which only Linux has")
	}
	const sent, bound = 50_000, 400 << 20
	tests := map[string]struct{ dir, method string }{
		"large answers": {generate(t, 2000, 200), "instructions/list"},
		"slow method":   {fixture(t), "integrity/verify"},
	}
	for name, tt := range tests {
		s := p.serve(t, tt.dir)
		s.call(tt.method, "{}") // otherwise the wait below could end during loading
		var taken atomic.Int64
		go func() {
			for i := range sent {
				if _, err := io.WriteString(s.in, request(i, tt.method, "{}")); err != nil {
					return // the test has ended
				}
				taken.Add(1)
			}
		}()
		most, before, still := 0, int64(0), 0
		for still < 20 { // until nothing changes any more
			time.Sleep(25 * time.Millisecond)
			most = max(most, s.memory("VmRSS"))
			if now := taken.Load(); now == before && now > 0 {
				still++
			} else {
				before, still = now, 0
			}
		}
		if most > bound {
			t.Errorf("%s: %d MiB in memory", name, most>>20)
		}
		if before == sent {
			t.Errorf("%s: it took every request although nobody read an answer", name)
		}
	}
}

// TestClientGone closes the reading end of the output. The server must end, although
// its input stays open.
func TestClientGone(t *testing.T) {
	t.Parallel()
	p := build(t)
	s := p.serve(t, fixture(t))
	s.call("health/check", "{}")
	s.stdout.Close()
	s.send(request(2, "instructions/list", "{}"))
	if code := s.wait(); code == exitClean {
		t.Error("answers were lost, and the exit code says that all is well")
	}
}

// TestLongLine sends 64 MiB without a newline. The line must be rejected without being
// held in memory, and the session must continue.
func TestLongLine(t *testing.T) {
	t.Parallel()
	p := build(t)
	s := p.serve(t, fixture(t))
	part := strings.Repeat("x", 1<<20)
	s.send(`{"jsonrpc":"2.0","id":1,"method":"`)
	for range 64 {
		s.send(part)
	}
	s.send("\"}\n")
	if a := s.receive(); a.Error == nil || a.Error.Code != -32600 || string(a.ID) != "null" {
		t.Errorf("answered %.300s", a.line)
	}
	if a := s.call("health/check", "{}"); a.Error != nil {
		t.Errorf("the session did not go on: %.300s", a.line)
	}
	const bound = 200 << 20 // 16 MiB are kept before the line is rejected
	if runtime.GOOS == "linux" && s.memory("VmHWM") > bound {
		t.Errorf("%d MiB in memory for a line that is discarded", s.memory("VmHWM")>>20)
	}
	s.end()
}

// TestHostileLines sends lines that are not requests. Standard output must only contain
// answers; everything else goes to standard error.
func TestHostileLines(t *testing.T) {
	t.Parallel()
	p := build(t)
	s := p.serve(t, fixture(t), "--no-watch") // without watches, a system that has none would log a warning
	s.send("\ufeff\r\n  \n" + strings.Join([]string{
		`nonsense`, `{"jsonrpc":"2.0","id":1,`, `[]`, `[1,2]`, `null`, `3`, `"x"`, "\xff\xfe", "{}", "\x00",
		`{"jsonrpc":"2.0","id":1,"result":"a response nobody asked for"}`,
		`{"jsonrpc":"2.0","method":"usage/track","params":{"id":"secrets"}}`,
		`{"jsonrpc":"2.0","method":"no/such"}`,
		strings.Repeat("[", 100_000), strings.Repeat(`{"a":`, 100_000),
		`{"jsonrpc":"1.0","id":1,"method":"health/check"}`, `{"id":1,"method":"health/check"}`,
		`{"jsonrpc":"2.0","id":1,"method":"health/check"}{"jsonrpc":"2.0","id":2,"method":"health/check"}`,
		`{"jsonrpc":"2.0","id":[1],"method":"health/check"}`, `{"jsonrpc":"2.0","id":1,"method":7}`,
	}, "\n") + "\r\n")
	s.send(request(99, "usage/hotset", "{}"))
	refused := 0
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil || !json.Valid(line) {
			t.Fatalf("%q is no JSON (%v)", line, err)
		}
		if strings.HasPrefix(string(line), `{"jsonrpc":"2.0","id":99,"result"`) {
			break
		}
		if !strings.Contains(string(line), `"error":{"code":-32`) {
			t.Errorf("answered %.300s", line)
		}
		refused++
	}
	if refused != 17 {
		t.Errorf("%d errors for 17 lines that are no request", refused)
	}
	s.end()
	if log := s.stderr.String(); strings.Count(log, "\n") != 1 || !strings.Contains(log, "ignored a response") {
		t.Errorf("standard error:\n%s", log)
	}
}

// TestNothingIsWritten calls every method and checks that neither the catalog nor the
// working folder has changed.
func TestNothingIsWritten(t *testing.T) {
	t.Parallel()
	p := build(t)
	dir := fixture(t)
	before := tree(t, dir)
	s := p.serve(t, dir)
	for _, c := range contractCalls {
		s.call(c.method, c.params)
	}
	s.end()
	after := tree(t, dir)
	for path := range before {
		if after[path] != before[path] {
			t.Errorf("%s was %s and is %s", path, before[path], after[path])
		}
		delete(after, path)
	}
	for path := range after {
		t.Errorf("%s is new", path)
	}
	if files := tree(t, s.cmd.Dir); len(files) != 1 {
		t.Errorf("the working folder holds %v", files)
	}
}

// tree returns the type, permissions, time and content of every file below dir.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var content []byte
		if !d.IsDir() {
			if content, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		files[path] = fmt.Sprintf("%v %v %x", info.Mode(), info.ModTime(), sha256.Sum256(content))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}
