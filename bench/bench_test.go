package bench

import (
	"context"
	"fmt"
	"io"
	"testing"
)

// benchSize returns the number of entries for the benchmarks.
func benchSize() int {
	if testing.Short() {
		return 500
	}
	return 5000
}

// generated generates a catalog for a benchmark.
func generated(b *testing.B) *corpus {
	b.Helper()
	c, err := formOf(benchSize()).generate(b.Context(), b.TempDir(), benchSize(), seed, func(int) {})
	if err != nil {
		b.Fatal(err)
	}
	return c
}

// BenchmarkCall measures a call of the registry.
func BenchmarkCall(b *testing.B) {
	corpus := generated(b)
	registry, err := newRegistry(corpus.path)
	if err != nil {
		b.Fatal(err)
	}
	for _, q := range questions(corpus) {
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, failure := registry.Call(context.Background(), q.method, q.params); failure != nil {
					b.Fatal(failure)
				}
			}
		})
	}
}

// BenchmarkLine measures a request line and its answer over in-memory pipes.
func BenchmarkLine(b *testing.B) {
	corpus := generated(b)
	fromClient, in := io.Pipe()
	out, toClient := io.Pipe()
	ended := make(chan error)
	go func() { ended <- serve(corpus.path, fromClient, toClient) }()
	c := client{in: in, out: out}
	for _, q := range questions(corpus) {
		line := q.line()
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				answer, err := c.ask(line)
				if err != nil {
					b.Fatal(err)
				}
				b.SetBytes(int64(len(answer)))
			}
		})
	}
	_ = in.Close()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
}

// BenchmarkFirst measures the first call of a registry, which loads the catalog, and
// the first search, which also builds the index. BenchmarkReadAndHash is their floor.
func BenchmarkFirst(b *testing.B) {
	corpus := generated(b)
	for _, q := range []question{
		{name: "list of one", method: "instructions/list", params: encode(params{"limit": 1})},
		search(searchAbsent, AbsentTerm, true, corpus),
	} {
		b.Run(q.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				registry, err := newRegistry(corpus.path)
				if err != nil {
					b.Fatal(err)
				}
				if _, failure := registry.Call(context.Background(), q.method, q.params); failure != nil {
					b.Fatal(failure)
				}
			}
		})
	}
}

// BenchmarkReadAndHash is the floor of the first call and of verifying.
func BenchmarkReadAndHash(b *testing.B) {
	corpus := generated(b)
	for b.Loop() {
		if err := ReadAndHash(corpus.files); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFloor is the floor of BenchmarkLine, for answers of several lengths.
func BenchmarkFloor(b *testing.B) {
	for _, length := range []int{130, 2_300, 9_300_000} {
		b.Run(fmt.Sprintf("bytes=%d", length), func(b *testing.B) {
			fromClient, in := io.Pipe()
			out, toClient := io.Pipe()
			ended := make(chan error)
			go func() { ended <- ServeFloor(fromClient, toClient) }()
			c, line := client{in: in, out: out}, floorLine(listRequest, length)
			for b.Loop() {
				if _, err := c.ask(line); err != nil {
					b.Fatal(err)
				}
			}
			_ = in.Close()
			if err := <-ended; err != nil {
				b.Fatal(err)
			}
		})
	}
}
