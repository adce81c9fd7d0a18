//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"instruction-catalog/rpc/rpctest"
)

// TestGetOnTerminal checks that a terminal shows 20 lines of a body, unless --body is
// given.
func TestGetOnTerminal(t *testing.T) {
	t.Parallel()
	p := build(t)
	dir := t.TempDir()
	for _, n := range []int{20, 21, 25} {
		path := filepath.Join(dir, fmt.Sprintf("lines-%d.md", n))
		if err := os.WriteFile(path, []byte(numbered(n)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	entry := `^(?s:id .*)\n\n`
	tests := []struct{ args, want string }{
		{"get lines-20", entry + numbered(20) + "$"},
		{"get lines-21", entry + numbered(20) + "… 1 more line: --body prints all\n$"},
		{"get lines-25", entry + numbered(20) + "… 5 more lines: --body prints all\n$"},
		{"get lines-25 --body", "^" + numbered(25) + "$"},
		{"get lines-25 --json", `line 24\\nline 25\\n"`},
	}
	for _, tt := range tests {
		cmd := exec.CommandContext(t.Context(), string(p), append(strings.Fields(tt.args), "--dir", dir)...)
		cmd.Env = append(os.Environ(), "NO_COLOR=1")
		stdout := openTerminal(t)
		cmd.Stdout = stdout.File
		err := cmd.Run()
		if shown := stdout.shown(); err != nil || !regexp.MustCompile(tt.want).MatchString(shown) {
			t.Errorf("catalog %s: %v, shows\n%s", tt.args, err, shown)
		}
	}

	s := p.start(t, "get", "lines-25", "--dir", dir)
	if piped, err := io.ReadAll(s.out); err != nil || !strings.HasSuffix(string(piped), "\n\n"+numbered(25)) {
		t.Errorf("what is no terminal gets %q (%v)", piped, err)
	}
}

// TestInitOnTerminal checks that init offers to import agents' files on a terminal, and
// writes the starter catalog if a person does not want that.
func TestInitOnTerminal(t *testing.T) {
	t.Parallel()
	p := build(t)
	for _, tt := range []struct{ typed, wrote string }{
		{"y\n", ".catalog/render.json"}, {"\n", "instructions/secrets.md"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "AGENTS.md"), []byte("Be brief.\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), string(p), "init")
		term := openTerminal(t)
		cmd.Dir, cmd.Stdin, cmd.Stderr = dir, term.File, term.File
		if _, err := io.WriteString(term.keys, tt.typed); err != nil {
			t.Fatal(err)
		}
		err := cmd.Run()
		shown := term.shown()
		if err != nil || !strings.Contains(shown, "This repository has 1 file for coding agents, such as AGENTS.md.") {
			t.Errorf("%v, shows\n%s", err, shown)
		}
		if _, err := os.Stat(filepath.Join(dir, tt.wrote)); err != nil {
			t.Errorf("%q typed: %v", tt.typed, err)
		}
	}
}

// numbered returns n lines.
func numbered(n int) string {
	var lines strings.Builder
	for i := range n {
		fmt.Fprintf(&lines, "line %d\n", i+1)
	}
	return lines.String()
}

// TestBenchOnTerminal checks that the estimated duration goes to standard error, and
// also a progress bar if that is a terminal that can move its cursor. Neither goes to
// standard output.
func TestBenchOnTerminal(t *testing.T) {
	rpctest.Long(t)
	t.Parallel()
	p := build(t)
	for _, tt := range []struct {
		term string
		bar  bool
	}{{"xterm", true}, {"dumb", false}} {
		cmd := benchOnce(t, p, tt.term)
		stdout, stderr := openTerminal(t), openTerminal(t)
		cmd.Stdout, cmd.Stderr = stdout.File, stderr.File
		err := cmd.Run()
		figures, progress := stdout.shown(), stderr.shown()
		if err != nil || !strings.Contains(figures, "20 entries, ") || strings.Contains(figures, "\r") {
			t.Errorf("TERM=%s: %v, standard output shows %q", tt.term, err, figures)
		}
		drawn := strings.Contains(progress, "\r") && strings.Contains(progress, "%")
		if drawn != tt.bar || !strings.Contains(progress, "catalog: measuring takes about ") {
			t.Errorf("TERM=%s: standard error shows %q", tt.term, progress)
		}
	}

	cmd := benchOnce(t, p, "xterm")
	stdout, stderr := openTerminal(t), strings.Builder{}
	cmd.Stdout, cmd.Stderr = stdout.File, &stderr
	if err := cmd.Run(); err != nil || strings.ContainsAny(stderr.String(), "\r%\x1b") {
		t.Errorf("standard error is no terminal: %v, %q", err, &stderr)
	}
	if figures := stdout.shown(); strings.Contains(figures, "\r") {
		t.Errorf("standard error is no terminal, and standard output shows %q", figures)
	}
}

// benchOnce returns a short benchmark run.
func benchOnce(t *testing.T, p program, term string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), string(p), "bench", "--sizes", "20", "--iterations", "3", "--runs", "1")
	cmd.Env = append(os.Environ(), "TERM="+term, "TMPDIR="+t.TempDir())
	return cmd
}

// terminal is the side of a pseudo-terminal that a program gets.
type terminal struct {
	*os.File
	keys io.Writer     // what is written to it is typed on the terminal
	text <-chan string // everything written to it; sent after it is closed
}

// openTerminal opens a pseudo-terminal, see pts(4).
func openTerminal(t *testing.T) *terminal {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { screen.Close() })
	var number, unlocked uint32
	control(t, screen, syscall.TIOCGPTN, &number)
	control(t, screen, syscall.TIOCSPTLCK, &unlocked)
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { tty.Close() })
	text := make(chan string, 1)
	go func() {
		data, err := io.ReadAll(screen)
		if !errors.Is(err, syscall.EIO) { // Linux says so when nobody has the terminal open any more
			t.Errorf("reading the terminal: %v", err)
		}
		text <- string(data)
	}()
	return &terminal{tty, screen, text}
}

func control[T any](t *testing.T, f *os.File, request uintptr, argument *T) {
	t.Helper()
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), request, uintptr(unsafe.Pointer(argument))); errno != 0 {
		t.Fatalf("ioctl %#x: %v", request, errno)
	}
}

// shown closes the terminal, which no program may have open any more, and returns what
// was written to it, with the original line ends.
func (term *terminal) shown() string {
	term.Close()
	return strings.ReplaceAll(<-term.text, "\r\n", "\n")
}
