package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"instruction-catalog/bench"
	"instruction-catalog/rpc/rpctest"
)

// judged is the minimum duration of a soak for which memory is checked.
const judged = time.Minute

var soakFor = flag.Duration("soak", 2*time.Second, "how long a server lives through edits, searches and subscribers; memory is judged from a minute on")

// TestSoak checks that a server whose files are edited, and which has requests and
// changing subscribers, does not leak: at the end it has as many goroutines and
// descriptors as at the beginning, and less than a tenth more memory.
func TestSoak(t *testing.T) {
	if *soakFor < judged {
		rpctest.Long(t)
	}
	t.Parallel()
	dir := t.TempDir()
	if err := bench.Generate(t.Context(), dir, 1000, 1); err != nil {
		t.Fatal(err)
	}
	s := build(t).listen(t, "--dir", dir, "--usage", filepath.Join(t.TempDir(), "uses.journal"))
	go func() { _, _ = io.Copy(io.Discard, s.stderr) }() // the log, which waits for who reads it
	life := &soak{t: t, server: s, editor: newEditor(t, dir)}
	life.live(*soakFor / 4) // all that is made once, and in ten minutes a whole history of 1,000 revisions
	before := life.settled(holding{})
	life.live(*soakFor)
	after := life.settled(before)
	t.Logf("%v: %d edits, %d searches, %d streams, %d sessions; at first %v, in the end %v",
		*soakFor, life.editor.round, life.searches.Load(), life.streams.Load(), life.sessions.Load(), before, after)
	if after.goroutines > before.goroutines || after.descriptors > before.descriptors {
		t.Errorf("held %v at first, and in the end %v", before, after)
	}
	if *soakFor >= judged && after.memory > before.memory*11/10 {
		t.Errorf("took %d bytes of memory at first, and in the end %d", before.memory, after.memory)
	}
	if life.searches.Load() == 0 || life.streams.Load() == 0 || life.sessions.Load() == 0 || life.editor.round == 0 {
		t.Error("something was not tried")
	}
}

// soak is the load on a server.
type soak struct {
	t      *testing.T
	server *httpServer
	editor *editor

	searches, streams, sessions atomic.Int64
}

// live runs all kinds of load concurrently for a duration.
func (l *soak) live(d time.Duration) {
	ctx, cancel := context.WithTimeout(l.t.Context(), d)
	defer cancel()
	var all sync.WaitGroup
	for _, do := range []func(context.Context){l.edit, l.search, l.stream, l.session} {
		all.Go(func() {
			for ctx.Err() == nil && !l.t.Failed() {
				do(ctx)
			}
		})
	}
	all.Wait()
	l.server.client.CloseIdleConnections()
}

// edit changes one file, and sometimes many.
func (l *soak) edit(ctx context.Context) {
	files := 1
	if l.editor.random.IntN(50) == 0 {
		files = 100
	}
	for range files {
		l.editor.edit()
	}
	rest(ctx, time.Duration(l.editor.random.IntN(100))*time.Millisecond)
}

func rest(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

func (l *soak) search(ctx context.Context) {
	answer := l.server.tool("", "instructions_search", `{"q":"`+bench.RareTerm+`"}`)
	if !strings.Contains(answer, `"items":[{`) {
		l.t.Errorf("a search found nothing: %s", answer)
	}
	l.searches.Add(1)
	rest(ctx, 5*time.Millisecond)
}

// stream waits for a notification on any entry, or for a short time, and disconnects
// without notice.
func (l *soak) stream(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, 200*time.Millisecond)
	defer cancel()
	answer, err := l.post(ctx, `{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["instruction://index"]},`+
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen")
	if err != nil {
		return // the time was up
	}
	defer answer.Body.Close()
	l.streams.Add(1)
	for lines := bufio.NewScanner(answer.Body); lines.Scan() && !strings.Contains(lines.Text(), "resources/updated"); {
	}
}

// session opens a session of an older protocol version, subscribes and ends the
// session.
func (l *soak) session(ctx context.Context) {
	defer rest(ctx, 20*time.Millisecond)
	ctx = context.WithoutCancel(ctx) // or a session that nobody knows might last
	const version = "2025-11-25"
	answer, err := l.post(ctx, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+version+`","capabilities":{},`+
		`"clientInfo":{"name":"soak","version":"1"}}}`)
	if err != nil {
		l.t.Error(err)
		return
	}
	id := answer.Header.Get("Mcp-Session-Id")
	drain(answer)
	if id == "" {
		l.t.Errorf("no session: %s", answer.Status)
		return
	}
	headers := []string{"Mcp-Session-Id", id, "MCP-Protocol-Version", version}
	for _, message := range []string{
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"resources/subscribe","params":{"uri":"instruction://index"}}`,
		"",
	} {
		answer, err := l.post(ctx, message, headers...)
		if err != nil || answer.StatusCode >= 400 {
			l.t.Errorf("%q: %v (%v)", message, answer, err)
			return
		}
		drain(answer)
	}
	l.sessions.Add(1)
}

func drain(answer *http.Response) {
	_, _ = io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
}

// post sends a message with these headers. Without headers it ends the session.
func (l *soak) post(ctx context.Context, message string, headers ...string) (*http.Response, error) {
	method := http.MethodPost
	if message == "" {
		method = http.MethodDelete
	}
	r, err := http.NewRequestWithContext(ctx, method, l.server.url+"/mcp", strings.NewReader(message))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return l.server.client.Do(r)
}

// holding is the use of resources by a server.
type holding struct{ goroutines, descriptors, memory int }

func (h holding) String() string {
	return fmt.Sprintf("%d goroutines, %d descriptors, %.1f MB", h.goroutines, h.descriptors, float64(h.memory)/1e6)
}

// settled waits until the server uses no more than wanted or, if wanted is zero, until
// its use is stable, and returns its use. It gives up after some time.
//
// If memory is judged, it first waits for the garbage collector. This runs at least
// every two minutes and then returns free memory, according to the goals of the
// previous cycle. Before that, the memory of a process depends on when it last ran.
func (l *soak) settled(wanted holding) (now holding) {
	const same = 20
	if *soakFor >= judged {
		for resting := 0; resting < 4 && (resting == 0 || wanted.memory > 0 && l.holds().memory > wanted.memory*11/10); resting++ {
			time.Sleep(150 * time.Second)
		}
	}
	var last []holding
	for end := time.Now().Add(guard / 4); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		now = l.holds()
		last = append(last, now)
		last = last[max(0, len(last)-same):]
		changes := slices.ContainsFunc(last, func(h holding) bool { return h.goroutines != now.goroutines || h.descriptors != now.descriptors })
		most := wanted == holding{} || now.goroutines <= wanted.goroutines && now.descriptors <= wanted.descriptors
		if len(last) == same && !changes && most {
			break
		}
	}
	return now
}

var goroutines = regexp.MustCompile(`(?m)^go_goroutines (\d+)$`)

func (l *soak) holds() (h holding) {
	_, page := l.server.get("/metrics")
	found := goroutines.FindStringSubmatch(page)
	if found == nil {
		l.t.Fatalf("no goroutines among the metrics:\n%s", page)
	}
	h.goroutines, _ = strconv.Atoi(found[1])
	if runtime.GOOS != "linux" {
		return h
	}
	proc := fmt.Sprintf("/proc/%d", l.server.cmd.Process.Pid)
	descriptors, err := os.ReadDir(proc + "/fd")
	if err != nil {
		l.t.Fatal(err)
	}
	h.descriptors = len(descriptors)
	status, err := os.ReadFile(proc + "/status")
	if err != nil {
		l.t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "\nVmRSS:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		l.t.Fatal(err)
	}
	h.memory = kib << 10
	return h
}

// editor changes the files of a catalog in all possible ways. The number of files
// changes by one at most.
type editor struct {
	t      *testing.T
	dir    string
	files  []string
	gone   map[string][]byte
	random *rand.Rand
	round  int
}

func newEditor(t *testing.T, dir string) *editor {
	e := &editor{t: t, dir: dir, gone: map[string][]byte{}, random: rand.New(rand.NewPCG(1, 2))}
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.md"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	e.files = files
	return e
}

func (e *editor) edit() {
	e.round++
	path := e.files[e.random.IntN(len(e.files))]
	for gone, text := range e.gone {
		e.must(os.WriteFile(gone, text, 0o644))
		delete(e.gone, gone)
	}
	text, err := os.ReadFile(path)
	e.must(err)
	whole, _, _ := strings.Cut(string(text), "\n\nEdit ")
	whole += fmt.Sprintf("\n\nEdit %d.\n", e.round)
	switch e.random.IntN(10) {
	case 0:
		e.must(os.Remove(path))
		e.gone[path] = []byte(whole)
	case 1: // invalid, as while it is written
		e.must(os.WriteFile(path, []byte("\xff"), 0o644))
		e.gone[path] = []byte(whole)
	case 2:
		e.must(os.WriteFile(path+"~", []byte(whole), 0o644))
		e.must(os.Rename(path+"~", path))
	default:
		e.must(os.WriteFile(path, []byte(whole), 0o644))
	}
}

func (e *editor) must(err error) {
	if err != nil {
		e.t.Error(err)
	}
}
