package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"instruction-catalog/bench"
)

// root of the repository, seen from this folder, in which "go run" stands.
const root = "../.."

// measureCatalog builds the program as it is released and has it measure itself.
func measureCatalog(ctx context.Context, sizes []int, iterations int, stderr io.Writer) (all []*bench.Report, err error) {
	dir, err := os.MkdirTemp("", "catalog-peers-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	program := filepath.Join(dir, "catalog.exe") // a name that runs anywhere
	build := exec.CommandContext(ctx, "go", "build", "-o", program, "./cmd/catalog")
	build.Dir, build.Stderr, build.Env = root, stderr, append(os.Environ(), "CGO_ENABLED=0")
	if err := build.Run(); err != nil {
		return nil, fmt.Errorf("build the program (go -C bench/peers run . stands in the right folder): %w", err)
	}
	for _, run := range splitSizes(sizes) {
		out := filepath.Join(dir, "results.json")
		args := append([]string{"bench", "--iterations", strconv.Itoa(iterations), "--out", out}, run...)
		fmt.Fprintf(stderr, "catalog %s\n", strings.Join(append(args[:3:3], run...), " "))
		measure := exec.CommandContext(ctx, program, args...)
		measure.Stderr = stderr
		if err := measure.Run(); err != nil {
			return nil, fmt.Errorf("catalog bench: %w", err)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			return nil, err
		}
		r, err := bench.ParseReport(data)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// splitSizes returns the arguments of each run of catalog bench, which measures the
// largest catalogs in process only.
func splitSizes(sizes []int) [][]string {
	var piped, larger []string
	for _, size := range sizes {
		if size > bench.MaxPipeSize {
			larger = append(larger, strconv.Itoa(size))
		} else {
			piped = append(piped, strconv.Itoa(size))
		}
	}
	var runs [][]string
	if piped != nil {
		runs = append(runs, []string{"--sizes", strings.Join(piped, ",")})
	}
	if larger != nil {
		runs = append(runs, []string{"--in-process", "--sizes", strings.Join(larger, ",")})
	}
	return runs
}
