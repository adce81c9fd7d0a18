package bench

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestPercentile(t *testing.T) {
	t.Parallel()
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(i + 1)
	}
	tests := []struct {
		sorted []time.Duration
		p      float64
		want   time.Duration
	}{
		{nil, 50, 0},
		{[]time.Duration{7}, 0, 7},
		{[]time.Duration{7}, 50, 7},
		{[]time.Duration{7}, 100, 7},
		{[]time.Duration{1, 2}, 50, 1},
		{[]time.Duration{1, 2}, 51, 2},
		{[]time.Duration{1, 2, 3}, 50, 2},
		{[]time.Duration{1, 2, 3, 4}, 95, 4},
		{hundred[:20], 95, 19},
		{hundred, 50, 50},
		{hundred, 95, 95},
		{hundred, 100, 100},
	}
	for _, test := range tests {
		if got := percentile(test.sorted, test.p); got != test.want {
			t.Errorf("percentile %v of %v = %d, want %d", test.p, test.sorted, got, test.want)
		}
	}
}

func TestInterleave(t *testing.T) {
	t.Parallel()
	var order []string
	note := func(name string, took ...time.Duration) subject {
		return func() (time.Duration, error) {
			order = append(order, name)
			d := took[0]
			took = took[1:]
			return d, nil
		}
	}
	timings, err := interleave(context.Background(), 3, note("a", 5, 1, 3), note("b", 2, 2, 9))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(order, ""); got != "ababab" {
		t.Errorf("order %s, want ababab", got)
	}
	want := []timing{{rounds: 3, p50: 3, p95: 5, max: 5}, {rounds: 3, p50: 2, p95: 9, max: 9}}
	if !slices.Equal(timings, want) {
		t.Errorf("got %v, want %v", timings, want)
	}
}

// Slow operations are repeated five times, whatever number is requested.
func TestPatience(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		took         time.Duration // of each of two subjects
		rounds, want int
	}{
		{time.Minute, 5, 5}, {time.Minute, 200, 5}, {patience / 40, 200, 21}, {patience / 400, 200, 200}, {patience / 400, 300, 201},
	} {
		each := func() (time.Duration, error) { return test.took, nil }
		timings, err := interleave(context.Background(), test.rounds, each, each)
		if err != nil || timings[0].rounds != test.want || timings[1].rounds != test.want {
			t.Errorf("%v each, %d rounds asked for: %+v, %v; want %d", test.took, test.rounds, timings, err, test.want)
		}
	}
}

func TestInterleaveStops(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	rounds := 0
	_, err := interleave(ctx, 10, func() (time.Duration, error) {
		if rounds++; rounds == 2 {
			cancel()
		}
		return 0, nil
	})
	if !errors.Is(err, context.Canceled) || rounds != 2 {
		t.Errorf("%d rounds, error %v; want 2 and context.Canceled", rounds, err)
	}
	broken := errors.New("broken")
	if _, err := interleave(context.Background(), 10, func() (time.Duration, error) { return 0, broken }); err != broken {
		t.Errorf("error %v, want that of the subject", err)
	}
}

func TestFewer(t *testing.T) {
	t.Parallel()
	for iterations, want := range map[int]int{1: 1, 9: 9, 10: 10, 99: 10, 200: 20, 1000: 100} {
		if got := fewer(iterations); got != want {
			t.Errorf("fewer(%d) = %d, want %d", iterations, got, want)
		}
	}
}

func TestServeFloor(t *testing.T) {
	t.Parallel()
	long := string(floorLine(bytes.Repeat([]byte{'?'}, 300_000), 200_000))
	in := "3 \n0 padded to some length\n" + long + "5 \n"
	var out strings.Builder
	if err := ServeFloor(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	want := "xxx\n\n" + strings.Repeat("x", 200_000) + "\nxxxxx\n"
	if out.String() != want {
		t.Errorf("got %.40q… of %d bytes, want %.40q… of %d", out.String(), out.Len(), want, len(want))
	}
	for _, bad := range []string{"\n", "many \n", "-1 \n"} {
		if err := ServeFloor(strings.NewReader(bad), io.Discard); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

func TestFloorLine(t *testing.T) {
	t.Parallel()
	if got := string(floorLine([]byte("0123456789\n"), 4711)); got != "4711      \n" {
		t.Errorf("got %q", got)
	}
}

func TestClient(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("y", 200_000)
	tests := []struct {
		name string
		out  io.Reader
		want string
		ok   bool
	}{
		{"one line", strings.NewReader("yes\n"), "yes", true},
		{"in pieces", io.MultiReader(strings.NewReader("y"), strings.NewReader("es\n")), "yes", true},
		{"longer than the buffer", strings.NewReader(long + "\n"), long, true},
		{"an empty line", strings.NewReader("\n"), "", true},
		{"two lines", strings.NewReader("yes\nno\n"), "", false},
		{"cut off", strings.NewReader("ye"), "", false},
		{"gone", strings.NewReader(""), "", false},
	}
	for _, test := range tests {
		var in strings.Builder
		c := client{in: &in, out: test.out}
		got, err := c.ask([]byte("well?\n"))
		if string(got) != test.want || (err == nil) != test.ok {
			t.Errorf("%s: got %.20q, %v", test.name, got, err)
		}
		if in.String() != "well?\n" {
			t.Errorf("%s: asked %q", test.name, in.String())
		}
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	var kept tail
	for range 1000 {
		if n, err := kept.Write([]byte("0123456789")); n != 10 || err != nil {
			t.Fatal(n, err)
		}
	}
	if len(kept) != 4096 || !strings.HasSuffix(string(kept), "0123456789") {
		t.Errorf("kept %d bytes that end in %q", len(kept), kept[len(kept)-10:])
	}
}
