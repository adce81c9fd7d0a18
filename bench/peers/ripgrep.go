package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// openRipgrep returns rg, run over the files for each question, if it is
// installed.
func openRipgrep(ctx context.Context, path string, bundled bool) (*contender, error) {
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
	c.Version = firstVersion(string(version))
	c.count = func(ctx context.Context, term string) (int, error) { return countFiles(ctx, path, term) }
	if bundled {
		c.count = func(ctx context.Context, term string) (int, error) { return countLines(ctx, path, term) }
	}
	return c, nil
}

// firstVersion reads "ripgrep 13.0.0 (rev …)".
func firstVersion(text string) string {
	if words := strings.Fields(text); len(words) > 1 {
		return words[1]
	}
	return ""
}

// countFiles counts the files that contain a term: entries, in a folder.
func countFiles(ctx context.Context, path, term string) (int, error) {
	names, err := ripgrep(ctx, "--files-with-matches", path, term)
	return strings.Count(names, "\n"), err
}

// countLines counts the lines that contain a term: entries, in a bundle.
func countLines(ctx context.Context, path, term string) (int, error) {
	count, err := ripgrep(ctx, "--count", path, term)
	if count = strings.TrimSpace(count); count == "" || err != nil {
		return 0, err
	}
	return strconv.Atoi(count)
}

// ripgrep looks for a term in any case, in every file. That rg exits with 1
// means that there is none.
func ripgrep(ctx context.Context, what, path, term string) (string, error) {
	found, err := exec.CommandContext(ctx, "rg", what,
		"--no-config", "--no-ignore", "--ignore-case", "--fixed-strings", "--", term, path).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		err = nil
	}
	return string(found), err
}
