// Peers writes docs/BENCHMARKS.md: how fast the catalog answers at each size,
// whether that keeps to what is promised, how it grows, and how that compares
// with ripgrep and with SQLite's full-text search over the same texts.
//
// Run it from the root of the repository:
//
//	go -C bench/peers run .
//
// It builds the program, has it measure itself ("catalog bench"), measures the
// peers, draws the curves, and writes what it found beside them, in
// docs/benchmarks, from which
//
//	go -C bench/peers run . --render
//
// makes the same report again without measuring.
//
// Data flows one way:
//
//	results of catalog bench + peers + machine → measurements → charts, report
//
// It is a Go module of its own, so that the product depends on neither a
// database nor a plotting library. It never decides what is fast enough: bounds
// and verdicts come with the results.
package main
