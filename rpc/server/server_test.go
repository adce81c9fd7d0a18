package server

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/rpctest"
	"instruction-catalog/schemas"
)

// registryOf returns a registry of a program with version 1.2.3.
func registryOf(t *testing.T, now func() time.Time, toolsets ...rpc.Toolset) *rpc.Registry {
	t.Helper()
	registry, err := NewRegistry(Config{Version: "1.2.3", Contract: rpc.Contract{Version: "7.8", Schemas: schemas.V1()}, Log: slog.New(slog.DiscardHandler), Now: now}, toolsets...)
	if err != nil {
		t.Fatal(err)
	}
	return registry
}

// things returns a toolset with this name and health, and no methods.
func things(name string, health func(context.Context) rpc.Health) rpc.Toolset {
	toolset := (&rpctest.Things{}).Toolset()
	return rpc.Toolset{Name: name, Contract: toolset.Contract, Health: health}
}

func saying(h rpc.Health) func(context.Context) rpc.Health {
	return func(context.Context) rpc.Health { return h }
}

func get(page http.HandlerFunc) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	page(w, httptest.NewRequest("GET", "/", nil))
	return w
}

func TestConforms(t *testing.T) {
	t.Parallel()
	if err := registryOf(t, time.Now).Conforms(); err != nil {
		t.Error(err)
	}
}

// TestHealthOfSeveral checks the health of several toolsets: health/check returns only the first
// Detail, and the pages combine the states and the gauges of all.
func TestHealthOfSeveral(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		toolsets       []rpc.Toolset
		detail, status string
		metrics        []string
	}{
		"none": {nil, "", "ready", []string{`catalog_state{state="ready"} 1`}},
		"one": {
			[]rpc.Toolset{things("one", saying(rpc.Health{Detail: map[string]int{"a": 1}, Gauges: []rpc.Gauge{{Name: "one_things", Value: 7}}}))},
			`,"catalog":{"a":1}`, "ready", []string{"one_things 7", `catalog_state{state="ready"} 1`, `catalog_state{state="failed"} 0`},
		},
		"the second fails": {
			[]rpc.Toolset{
				things("silent", nil),
				things("one", saying(rpc.Health{Gauges: []rpc.Gauge{{Name: "one_things", Value: 7}}})),
				things("two", saying(rpc.Health{Failed: true, Detail: map[string]int{"b": 2}, Gauges: []rpc.Gauge{{Name: "two_total", Value: 8, Counter: true}}})),
			},
			`,"catalog":{"b":2}`, "failed", []string{"one_things 7", "two_total 8", "# TYPE two_total counter", `catalog_state{state="failed"} 1`},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			registry := registryOf(t, func() time.Time { return time.Time{} }, tt.toolsets...)
			result, failure := registry.Call(t.Context(), "health/check", json.RawMessage(`{"detail":true}`))
			want := `{"status":"ok","timestamp":"0001-01-01T00:00:00.000Z","version":"1.2.3","uptimeSeconds":0,"contract":"7.8"` + tt.detail + `}`
			if failure != nil || string(result.Bytes()) != want {
				t.Errorf("got %s, %v, want %s", result.Bytes(), failure, want)
			}
			pages := NewPages(registry, false)
			if w := get(pages.Ready); w.Body.String() != `{"status":"`+tt.status+`"}` || (w.Code == http.StatusOK) != (tt.status == "ready") {
				t.Errorf("ready: %d %s", w.Code, w.Body)
			}
			page := get(pages.Metrics).Body.String()
			for _, line := range tt.metrics {
				if !strings.Contains(page, line+"\n") {
					t.Errorf("the page of metrics lacks %s", line)
				}
			}
		})
	}
}

// TestHealthPanics checks that a toolset whose Health panics counts as failed, and that the
// server continues.
func TestHealthPanics(t *testing.T) {
	t.Parallel()
	registry := registryOf(t, time.Now, things("one", func(context.Context) rpc.Health { panic("secret") }))
	if w := get(NewPages(registry, false).Ready); w.Code != http.StatusServiceUnavailable || w.Body.String() != `{"status":"failed"}` {
		t.Errorf("ready: %d %s", w.Code, w.Body)
	}
}

// TestReadyWaits checks that the health of a loading toolset is checked once, and that pages that
// do not wait for it report that it is loading.
func TestReadyWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		asked, loaded := make(chan struct{}, 10), make(chan struct{})
		registry := registryOf(t, time.Now, things("one", func(context.Context) rpc.Health {
			asked <- struct{}{}
			<-loaded
			return rpc.Health{}
		}))
		pages := NewPages(registry, false)
		for range 2 {
			if page := get(pages.Metrics).Body.String(); !strings.Contains(page, `catalog_state{state="loading"} 1`) {
				t.Errorf("while it loads:\n%s", page)
			}
		}
		close(loaded)
		if w := get(pages.Ready); w.Code != http.StatusOK || w.Body.String() != `{"status":"ready"}` {
			t.Errorf("ready: %d %s", w.Code, w.Body)
		}
		if n := len(asked); n != 1 {
			t.Errorf("it was asked %d times", n)
		}
		time.Sleep(checkInterval)
		if get(pages.Ready); len(asked) != 2 {
			t.Errorf("it was asked %d times, and once more after the interval", len(asked))
		}
	})
}

// TestHealthPage checks that private pages return only the status.
func TestHealthPage(t *testing.T) {
	t.Parallel()
	registry := registryOf(t, func() time.Time { return time.Time{} })
	const whole = `{"status":"ok","timestamp":"0001-01-01T00:00:00.000Z","version":"1.2.3"}`
	if w := get(NewPages(registry, false).Health); w.Body.String() != whole || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%s %s", w.Header(), w.Body)
	}
	if w := get(NewPages(registry, true).Health); w.Body.String() != `{"status":"ok"}` {
		t.Errorf("private: %s", w.Body)
	}
	broken := rpc.NewRegistry(slog.New(slog.DiscardHandler), time.Now) // without the method
	if w := get(NewPages(broken, true).Health); w.Code != http.StatusInternalServerError || w.Body.String() != `{"status":"failed"}` {
		t.Errorf("if the method fails: %d %s", w.Code, w.Body)
	}
}

// TestMetricsPage checks that every method has its series, and that every line has the correct
// format.
func TestMetricsPage(t *testing.T) {
	t.Parallel()
	registry := registryOf(t, time.Now)
	registry.Call(t.Context(), "health/check", nil)
	registry.Record("resources/list", time.Millisecond, true)
	registry.Record("resources/list", time.Millisecond, true)
	more := func() []rpc.Gauge { return []rpc.Gauge{{Name: `of_the_server{kind="a"}`, Value: 3}} }
	w := get(NewPages(registry, false, more).Metrics)
	page := w.Body.String()
	for _, line := range []string{
		`catalog_method_calls_total{method="health/check"} 1`,
		`catalog_method_calls_total{method="resources/list"} 2`,
		`catalog_method_errors_total{method="health/check"} 0`,
		`catalog_method_errors_total{method="resources/list"} 2`,
		`of_the_server{kind="a"} 3`,
	} {
		if !strings.Contains(page, line+"\n") {
			t.Errorf("%s is missing", line)
		}
	}
	if !strings.Contains(page, `catalog_method_seconds_total{method="resources/list"} `) || !strings.Contains(page, "\ngo_goroutines ") {
		t.Errorf("durations or the process are missing:\n%s", page)
	}
	sample := regexp.MustCompile(`^[a-z_][a-zA-Z0-9_]*(\{([a-zA-Z_]+="[^"\\]*"(, ?)?)+\})? [-+0-9.eInfNa]+$`)
	kind := regexp.MustCompile(`^# TYPE ([a-z_]+) (counter|gauge|summary|histogram)$`)
	kinds := map[string]bool{}
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		if told := kind.FindStringSubmatch(line); told != nil {
			if kinds[told[1]] {
				t.Errorf("the kind of %s is told twice", told[1])
			}
			kinds[told[1]] = true
		} else if !sample.MatchString(line) && !strings.HasPrefix(line, "# HELP ") {
			t.Errorf("no line of the format: %q", line)
		}
	}
	if !kinds["catalog_method_calls_total"] || !kinds["go_goroutines"] {
		t.Errorf("kinds are missing: %v", kinds)
	}
	if !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain; version=0.0.4") {
		t.Errorf("Content-Type: %s", w.Header().Get("Content-Type"))
	}
}

func TestMetricsSnapshot(t *testing.T) {
	t.Parallel()
	var clock time.Time
	r := registryOf(t, func() time.Time {
		clock = clock.Add(time.Millisecond)
		return clock
	})
	r.Call(t.Context(), "rpc.discover", nil)
	r.Call(t.Context(), "rpc.discover", json.RawMessage(`{"no":1}`))
	r.Call(t.Context(), "no/such", nil)
	r.Record("resources/list", time.Millisecond, false)
	for _, tt := range []struct{ params, want string }{ // in this order: the first call is in the second answer
		{`{}`, `"methods":[{"method":"rpc.discover","count":2,"avgMs":1,"maxMs":1}]`},
		{`{"detail":true}`, `{"method":"rpc.discover","count":2,"avgMs":1,"maxMs":1,"errors":1,"p50Ms":1,"p95Ms":1,"p99Ms":1}`},
	} {
		result, failure := r.Call(t.Context(), "metrics/snapshot", json.RawMessage(tt.params))
		if failure != nil || !strings.Contains(string(result.Bytes()), tt.want) {
			t.Errorf("%s: got %s, %v", tt.params, result.Bytes(), failure)
		}
	}
}

// TestPercentiles checks that the percentiles of a method cover its last calls.
func TestPercentiles(t *testing.T) {
	t.Parallel()
	sorted := []time.Duration{time.Millisecond, 2 * time.Millisecond, 3 * time.Millisecond, 4 * time.Millisecond}
	for p, want := range map[float64]float64{0: 1, 0.5: 2, 0.95: 4, 1: 4} {
		if got := percentile(sorted, p); got != want {
			t.Errorf("%v: %v, want %v", p, got, want)
		}
	}
}

// TestDiscoverHidesTheUser checks that a param that the registry sets to the caller's user is not
// in the document.
func TestDiscoverHidesTheUser(t *testing.T) {
	t.Parallel()
	for perUser, want := range map[bool]int{false: 3, true: 0} {
		r := registryOf(t, time.Now, (&rpctest.Things{PerUser: perUser}).Toolset())
		result, failure := r.Call(t.Context(), "rpc.discover", nil)
		if failure != nil {
			t.Fatal(failure)
		}
		if got := strings.Count(string(result.Bytes()), `"name":"user_id","description"`); got != want {
			t.Errorf("per user %v: %d methods have the param user_id, want %d", perUser, got, want)
		}
		if !strings.Contains(string(result.Bytes()), `"version":"7.8"`) {
			t.Error("the document does not name the contract")
		}
	}
}
