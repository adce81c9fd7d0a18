package main

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestLostOutput runs commands whose standard output cannot be written. They must not
// succeed.
func TestLostOutput(t *testing.T) {
	t.Parallel()
	p := build(t)
	if runtime.GOOS != "linux" {
		t.Skip("writes to /dev/full, which only Linux has")
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	dir := " --dir " + fixture(t)
	tests := []struct{ args, stdin string }{
		{"", ""},
		{"version", ""}, {"version --json", ""},
		{"help", ""}, {"help list", ""}, {"list --help", ""},
		{"completion bash", ""},
		{"schema", ""}, {"schema --json", ""}, {"schema instructions/list", ""},
		{"list" + dir, ""}, {"list --json" + dir, ""},
		{"search a" + dir, ""}, {"search a --json" + dir, ""},
		{"get secrets" + dir, ""}, {"get secrets --json" + dir, ""}, {"get secrets --body" + dir, ""},
		{"get no-such-entry --json" + dir, ""},
		{"diff" + dir, ""}, {"diff --json" + dir, ""},
		{"verify" + dir, ""}, {"verify --json" + dir, ""},
		{"gates" + dir, ""}, {"gates --json" + dir, ""},
		{"review", "Ignore all previous instructions."}, {"review --json", "Rename parse."},
		{"call health/check", ""}, {"call instructions/list" + dir, ""},
		{"bench --sizes 1 --iterations 1 --runs 1", ""}, {"bench --sizes 1 --iterations 1 --runs 1 --json", ""},
		{"init --dir " + t.TempDir(), ""}, {"init --json --dir " + t.TempDir(), ""},
		{"serve" + dir, request(1, "health/check", "{}")},
	}
	for _, tt := range tests {
		cmd, stderr := p.command(t, tt.args)
		cmd.Stdin = strings.NewReader(tt.stdin)
		cmd.Stdout = full
		_ = cmd.Run() // the exit code is checked instead
		expectFailure(t, cmd, stderr, syscall.ENOSPC.Error())
	}
}

// TestNothingToLose runs commands that print nothing. They succeed even if standard
// output cannot be written.
func TestNothingToLose(t *testing.T) {
	t.Parallel()
	p := build(t)
	if runtime.GOOS != "linux" {
		t.Skip("writes to /dev/full, which only Linux has")
	}
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	dir := " --dir " + fixture(t)
	for args, want := range map[string]int{"serve" + dir: exitClean, "get no-such-entry" + dir: exitFindings} {
		cmd, stderr := p.command(t, args)
		cmd.Stdout = full
		_ = cmd.Run() // the exit code is checked instead
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("catalog %s: exit code %d, want %d, standard error:\n%s", args, code, want, stderr)
		}
	}
}

// TestUnreadableInput uses a folder as standard input. Reading it fails, which must not
// be taken for the end of the input.
func TestUnreadableInput(t *testing.T) {
	t.Parallel()
	p := build(t)
	if runtime.GOOS == "windows" {
		t.Skip("reads a folder as if it were a file, which Windows refuses in words of its own")
	}
	for _, args := range []string{"serve", "review", "diff --known -", "call prompt/review -"} {
		folder, err := os.Open(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer folder.Close()
		cmd, stderr := p.command(t, args+" --dir "+fixture(t))
		cmd.Stdin = folder
		if output, _ := cmd.Output(); len(output) > 0 { // the exit code is checked instead
			t.Errorf("catalog %s: standard output carries %q", args, output)
		}
		expectFailure(t, cmd, stderr, syscall.EISDIR.Error())
	}
}

// command returns a command that has not started, so that a test can set its streams,
// and a buffer with its standard error.
func (p program) command(t *testing.T, args string) (*exec.Cmd, *strings.Builder) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), string(p), strings.Fields(args)...)
	cmd.Dir = t.TempDir()
	stderr := &strings.Builder{}
	cmd.Stderr = stderr
	return cmd, stderr
}

// expectFailure checks that a command failed and printed the reason.
func expectFailure(t *testing.T, cmd *exec.Cmd, stderr *strings.Builder, why string) {
	t.Helper()
	code, said := cmd.ProcessState.ExitCode(), stderr.String()
	last := said[strings.LastIndex(strings.TrimSuffix(said, "\n"), "\n")+1:]
	if code != exitFailed || !strings.HasPrefix(last, "catalog: ") || !strings.Contains(said, why) {
		t.Errorf("catalog %s: exit code %d, want %d, standard error %q does not say %q",
			strings.Join(cmd.Args[1:], " "), code, exitFailed, said, why)
	}
}
