package main

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestLostOutput gives the commands a standard output that takes nothing:
// whoever did not get the answer is not told that all is well.
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
		_ = cmd.Run() // the exit code tells
		expectFailure(t, cmd, stderr, syscall.ENOSPC.Error())
	}
}

// TestNothingToLose has nothing to say on standard output, so that nothing is
// lost where that takes nothing.
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
		_ = cmd.Run() // the exit code tells
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("catalog %s: exit code %d, want %d, standard error:\n%s", args, code, want, stderr)
		}
	}
}

// TestUnreadableInput gives a folder as standard input. Reading it fails, which
// is not the end of the input.
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
		if output, _ := cmd.Output(); len(output) > 0 { // the exit code tells
			t.Errorf("catalog %s: standard output carries %q", args, output)
		}
		expectFailure(t, cmd, stderr, syscall.EISDIR.Error())
	}
}

// command returns a command that has not begun, for a test to choose its
// streams, and what it will say on standard error.
func (p program) command(t *testing.T, args string) (*exec.Cmd, *strings.Builder) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), string(p), strings.Fields(args)...)
	cmd.Dir = t.TempDir()
	stderr := &strings.Builder{}
	cmd.Stderr = stderr
	return cmd, stderr
}

// expectFailure expects that a command which has ended could not do its work,
// and says why.
func expectFailure(t *testing.T, cmd *exec.Cmd, stderr *strings.Builder, why string) {
	t.Helper()
	code, said := cmd.ProcessState.ExitCode(), stderr.String()
	last := said[strings.LastIndex(strings.TrimSuffix(said, "\n"), "\n")+1:]
	if code != exitFailed || !strings.HasPrefix(last, "catalog: ") || !strings.Contains(said, why) {
		t.Errorf("catalog %s: exit code %d, want %d, standard error %q does not say %q",
			strings.Join(cmd.Args[1:], " "), code, exitFailed, said, why)
	}
}
