package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// guard is the time after which a process is considered hung and killed. No test result
// depends on it otherwise.
const guard = 3 * time.Minute

// program is the path of the built program.
type program string

// built builds the program like a release, in the folder of testscript's commands,
// which is removed when all tests have ended.
var built = sync.OnceValues(func() (program, error) {
	command, err := exec.LookPath("catalog")
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(command), "built-catalog.exe")
	if out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return program(path), nil
})

// build returns the built program.
func build(t *testing.T) program {
	t.Helper()
	p, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// session is a running program with its client.
type session struct {
	t      *testing.T
	ctx    context.Context // done when the guard expires
	cmd    *exec.Cmd
	in     io.WriteCloser
	stdout io.Closer
	out    *bufio.Reader // buffers stdout
	stderr bytes.Buffer  // read it only after the process has ended
	kept   int           // of the last notification
	ended  bool
}

// start runs the program with the given arguments in an empty working folder.
func (p program) start(t *testing.T, args ...string) *session {
	t.Helper()
	return p.startWith(t, t.TempDir(), args...)
}

// startWith runs the program with the given state folder, which may be that of an
// earlier run.
func (p program) startWith(t *testing.T, state string, args ...string) *session {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), guard)
	s := &session{t: t, ctx: ctx, cmd: exec.CommandContext(ctx, string(p), args...)}
	s.cmd.Dir = t.TempDir()
	s.cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+state, "LocalAppData="+state)
	s.cmd.Stderr = &s.stderr
	s.run(cancel)
	return s
}

// run starts the program with its streams. It runs until the test ends or the guard
// expires.
func (s *session) run(cancel context.CancelFunc) {
	s.t.Helper()
	in, err := s.cmd.StdinPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	s.in, s.stdout, s.out = in, out, bufio.NewReader(out)
	if err := s.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		cancel()
		s.wait()
	})
}

// serve starts the server on a catalog.
func (p program) serve(t *testing.T, dir string, args ...string) *session {
	t.Helper()
	return p.start(t, append([]string{"serve", "--dir", dir}, args...)...)
}

func (s *session) send(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, text); err != nil {
		s.t.Fatalf("the program does not read: %v", err)
	}
}

// response is a response object of JSON-RPC 2.0.
type response struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  json.RawMessage `json:"result"`
	Error   *responseError  `json:"error"`

	line []byte // the response as received
}

type responseError struct {
	Code    int
	Message string
	Data    json.RawMessage
}

// receive reads one line, which must be a response.
func (s *session) receive() response {
	s.t.Helper()
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		s.wait()
		s.t.Fatalf("no answer: %v, after %q; standard error:\n%s", err, line, &s.stderr)
	}
	return s.parse(line)
}

func (s *session) parse(line []byte) response {
	s.t.Helper()
	r := response{line: line}
	if err := json.Unmarshal(line, &r); err != nil || r.Version != "2.0" || r.ID == nil {
		s.t.Fatalf("this is no response: %.500q (%v)", line, err)
	}
	return r
}

func request(id int, method, params string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
}

// call sends one request and returns its answer.
func (s *session) call(method, params string) response {
	s.t.Helper()
	s.send(request(1, method, params))
	return s.receive()
}

// drain reads all remaining responses.
func (s *session) drain() (all []response) {
	s.t.Helper()
	for {
		line, err := s.out.ReadBytes('\n')
		if len(line) == 0 && errors.Is(err, io.EOF) {
			return all
		}
		all = append(all, s.parse(line))
	}
}

// wait returns the exit code, or -1 if a signal ended the process. Read all needed
// output before.
func (s *session) wait() int {
	if !s.ended {
		s.ended = true
		_ = s.cmd.Wait() // the exit code is checked instead
		if errors.Is(s.ctx.Err(), context.DeadlineExceeded) {
			s.t.Errorf("the program hung and was killed after %v", guard)
		}
	}
	return s.cmd.ProcessState.ExitCode()
}

// end ends the input and expects a clean exit without further output.
func (s *session) end() {
	s.t.Helper()
	s.in.Close()
	if rest := s.drain(); len(rest) > 0 {
		s.t.Errorf("%d answers too many: %.300s", len(rest), rest[0].line)
	}
	if code := s.wait(); code != exitClean {
		s.t.Errorf("exit code %d, standard error:\n%s", code, &s.stderr)
	}
}

func (s *session) signal(sig os.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// memory returns a value of /proc/PID/status in bytes: VmRSS is the resident memory,
// VmHWM its peak.
func (s *session) memory(name string) int {
	s.t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		s.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), name+":")
	number, _, ok := strings.Cut(strings.TrimSpace(rest), " kB")
	n, err := strconv.Atoi(number)
	if !ok || err != nil {
		s.t.Fatalf("no %s in %s", name, status)
	}
	return n << 10
}

func needSignals(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("sends signals, which Windows does not have")
	}
}

// fixture returns a copy of the test catalog in a temporary folder.
func fixture(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "instructions")
	if err := os.CopyFS(dir, os.DirFS("testdata/catalog")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// generate writes a catalog of n entries with bodies of size bytes.
func generate(t *testing.T, n, size int) string {
	t.Helper()
	dir := t.TempDir()
	body := []byte(strings.Repeat("x", size))
	for i := range n {
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("entry-%d.md", i)), body, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
