package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// openRipgrep returns rg, run over the files for each question, if it is
// installed.
func openRipgrep(ctx context.Context, path string) (*contender, error) {
	c := &contender{
		performance: performance{Name: "ripgrep"},
		wholeFiles:  true,
		close:       func() error { return nil },
	}
	if _, err := exec.LookPath("rg"); err != nil {
		c.Missing = "not installed"
		return c, nil
	}
	version, err := exec.CommandContext(ctx, "rg", "--version").Output()
	if err != nil {
		return nil, fmt.Errorf("rg --version: %w", err)
	}
	_, _ = fmt.Sscan(strings.TrimPrefix(string(version), "ripgrep "), &c.Version)
	c.count = func(ctx context.Context, term string) (int, error) { return countEntries(ctx, path, term) }
	return c, nil
}

// countEntries counts the entries that contain a term in any case: the files of a
// folder, the lines of a bundle. rg exits with 1 if there is none.
func countEntries(ctx context.Context, path, term string) (n int, err error) {
	args := []string{"--count", "--no-filename", "--no-config", "--no-ignore", "--ignore-case", "--fixed-strings", "--", term, path}
	if filepath.Ext(path) != ".jsonl" {
		args = append([]string{"--max-count=1"}, args...)
	}
	counts, err := exec.CommandContext(ctx, "rg", args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return 0, nil
	}
	for count := range strings.FieldsSeq(string(counts)) {
		lines, bad := strconv.Atoi(count)
		n, err = n+lines, errors.Join(err, bad)
	}
	return n, err
}
