package instructions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"instruction-catalog/catalog/source"
	"instruction-catalog/docs"
	"instruction-catalog/governance/review"
	"instruction-catalog/rpc"
	"instruction-catalog/rpc/server"
	"instruction-catalog/schemas"
	"instruction-catalog/toolsets/instructions"
)

// catalog is a toolset with its own folder.
type catalog struct {
	t        *testing.T
	dir      string
	registry *rpc.Registry
	clock    *clock
}

// clock is a clock that only the test advances.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// parseBuiltIn returns the criteria that all tests share, because parsing them is slower
// than most tests.
var parseBuiltIn = sync.OnceValues(func() (*review.Criteria, error) { return review.ParseTested(docs.PromptCriteria) })

func builtIn(func() (source.Criteria, error), bool) (*review.Criteria, error) { return parseBuiltIn() }

// start is the initial time of the clock.
var start = time.Date(2025, 8, 24, 9, 30, 0, 0, time.UTC)

// open creates a toolset for a folder with the given files, by path. Without files, the
// folder does not exist.
func open(t *testing.T, files map[string]string) *catalog {
	t.Helper()
	c := &catalog{t: t, dir: filepath.Join(t.TempDir(), "instructions"), clock: &clock{now: start}}
	// The toolset is not started, so it watches nothing.
	c.serve(instructions.Config{Dir: c.dir, Criteria: builtIn, Now: c.clock.Now, Watch: true, Log: slog.New(slog.DiscardHandler)})
	for path, content := range files {
		c.write(path, content)
	}
	return c
}

// serve creates a new toolset with the given configuration.
func (c *catalog) serve(config instructions.Config) {
	c.t.Helper()
	var err error
	c.registry, err = server.NewRegistry(server.Config{Version: "0.0.0", Contract: instructions.Contract(), Log: slog.New(slog.DiscardHandler), Now: c.clock.Now}, instructions.New(config).Toolset())
	if err != nil {
		c.t.Fatal(err)
	}
}

func (c *catalog) path(name string) string { return filepath.Join(c.dir, filepath.FromSlash(name)) }

func (c *catalog) write(name, content string) {
	c.t.Helper()
	if err := os.MkdirAll(filepath.Dir(c.path(name)), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(c.path(name), []byte(content), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func (c *catalog) remove(name string) {
	c.t.Helper()
	if err := os.RemoveAll(c.path(name)); err != nil {
		c.t.Fatal(err)
	}
}

// raw returns the undecoded result and checks it against its schema.
func (c *catalog) raw(method, params string) string {
	c.t.Helper()
	result, failure := c.registry.Call(context.Background(), method, json.RawMessage(params))
	if failure != nil {
		c.t.Fatalf("%s %s: %v %v", method, params, failure, failure.Data)
	}
	contract, ok := schemas.V1().Method(method)
	if !ok {
		c.t.Fatalf("no schema for %s", method)
	}
	if issues, err := contract.Result.Validate(result.Bytes()); err != nil || len(issues) > 0 {
		c.t.Errorf("%s %s: the result does not match its schema: %v %v\n%s", method, params, issues, err, result.Bytes())
	}
	return string(result.Bytes())
}

// fails expects an error and returns it as JSON.
func (c *catalog) fails(method, params string, code rpc.Code) string {
	c.t.Helper()
	result, failure := c.registry.Call(context.Background(), method, json.RawMessage(params))
	if failure == nil || failure.Code != code {
		c.t.Fatalf("%s %s: want error %d, got %v and the result %s", method, params, code, failure, result.Bytes())
	}
	encoded, err := json.Marshal(failure)
	if err != nil {
		c.t.Fatal(err)
	}
	return string(encoded)
}

// entry holds the members of an entry that the tests check.
type entry struct {
	ID, Title, Body        string
	SourceHash, LastUsedAt string
	UsageCount             int
}

// result holds the members that the tests check, of the results of all methods.
type result struct {
	Hash, NextCursor, ID, LastUsedAt string
	Count, Limit, UsageCount         int
	BodyLength                       int
	UpToDate, NotFound               bool
	Item                             entry
	Items, Changed, Added, Updated   []entry
	Removed                          []string
}

// call returns the decoded result.
func (c *catalog) call(method, params string) result {
	c.t.Helper()
	var r result
	if err := json.Unmarshal([]byte(c.raw(method, params)), &r); err != nil {
		c.t.Fatal(err)
	}
	return r
}

// ids returns the ids of entries, separated by blanks.
func ids(entries []entry) string {
	var all []string
	for _, e := range entries {
		all = append(all, e.ID)
	}
	return strings.Join(all, " ")
}

// jsonEntry returns the content of a JSON file with the given id and more members.
func jsonEntry(id, more string) string {
	return fmt.Sprintf(`{"id":%q,"title":"T","body":"B","priority":1,"audience":"all","requirement":"optional","categories":[],"schemaVersion":"7"%s}`, id, more)
}

// members returns the names of the members of an object in order, separated by blanks.
func members(t *testing.T, object json.RawMessage) string {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(string(object)))
	if _, err := dec.Token(); err != nil {
		t.Fatal(err)
	}
	var names []string
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, fmt.Sprint(name))
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			t.Fatal(err)
		}
	}
	return strings.Join(names, " ")
}

// TestConcurrentCalls calls every method concurrently, for the race detector. All calls
// must see the same catalog.
func TestConcurrentCalls(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"a.md": "A.", "b.md": "B.", "gates.json": `{"gates":[]}`})
	calls := map[string]string{
		"health/check": `{"detail":true}`, "instructions/list": `{}`, "instructions/get": `{"id":"a"}`,
		"instructions/search": `{"q":"b"}`, "instructions/diff": `{}`, "integrity/verify": `{"detail":true}`,
		"usage/track": `{"id":"a"}`, "usage/hotset": `{}`, "gates/evaluate": `{}`, "prompt/review": `{"prompt":"x"}`, "instructions/check": `{"path":"a.md"}`,
		"metrics/snapshot": `{}`, "rpc.discover": `{}`, "instructions/subscribe": `{}`, "instructions/unsubscribe": `{}`,
	}
	connection := rpc.NewConnection(t.Context(), func(context.Context, rpc.JSON) { t.Error("a notification, though nothing has changed") })
	ctx := rpc.WithConnection(context.Background(), connection)
	if len(calls) != len(c.registry.Methods()) {
		t.Errorf("%d methods are called, there are %d", len(calls), len(c.registry.Methods()))
	}
	const rounds = 20
	var running sync.WaitGroup
	for method, params := range calls {
		for range rounds {
			running.Go(func() {
				if _, failure := c.registry.Call(ctx, method, json.RawMessage(params)); failure != nil {
					t.Errorf("%s: %v", method, failure)
				}
			})
		}
	}
	running.Wait()
	if got := c.call("instructions/get", `{"id":"a"}`).Item.UsageCount; got != rounds {
		t.Errorf("usageCount is %d after %d uses", got, rounds)
	}
}
