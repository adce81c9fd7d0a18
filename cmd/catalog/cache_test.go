//go:build linux || darwin

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// cacheUser runs the program with a cache folder of its own.
type cacheUser struct {
	*testing.T
	program program
	home    string
	dir     string
}

func newCacheUser(t *testing.T) *cacheUser {
	u := &cacheUser{t, build(t), t.TempDir(), t.TempDir()}
	for i := range 300 {
		u.write(fmt.Sprintf("f%d.md", i), fmt.Sprintf("# Title %d\n", i))
	}
	u.write("loose.json", `{"id": "Loose", "title": "T", "body": "B"}`)
	return u
}

func (u *cacheUser) write(name, content string) {
	u.Helper()
	if err := os.WriteFile(filepath.Join(u.dir, name), []byte(content), 0o644); err != nil {
		u.Fatal(err)
	}
}

// run runs a command in an environment that is just the home folder.
func (u *cacheUser) run(args ...string) (stdout, stderr string) {
	u.Helper()
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(u.Context(), string(u.program), append(args, "--dir", u.dir)...)
	cmd.Env = []string{"HOME=" + u.home, "XDG_CACHE_HOME=" + filepath.Join(u.home, "cache")}
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		u.Fatalf("catalog %v: %v\n%s", args, err, &errs)
	}
	return out.String(), errs.String()
}

// kept are the caches in the cache folder. What else may be there is left of a
// process that was held up for so long that it gave up writing one.
func (u *cacheUser) kept() []string {
	files, err := filepath.Glob(filepath.Join(u.home, "cache", "instruction-catalog", "*.cache"))
	if err != nil {
		u.Fatal(err)
	}
	return files
}

// TestCacheOfTheProgram: what the files were is known at the next start, unless
// it is not wanted.
func TestCacheOfTheProgram(t *testing.T) {
	t.Parallel()
	u := newCacheUser(t)
	want, _ := u.run("list", "--no-cache")
	deadline := time.Now().Add(guard)
	for len(u.kept()) == 0 { // only files that have rested for some seconds are kept
		for _, args := range [][]string{{"list", "--no-cache"}, {"verify"}, {"bundle"}} {
			u.run(args...)
		}
		if len(u.kept()) > 0 {
			t.Fatal("the cache was written by a command that does not use it")
		}
		if got, stderr := u.run("list"); got != want || stderr != "" {
			t.Fatalf("got %s\n%s", got, stderr)
		}
		if time.Now().After(deadline) {
			t.Fatal("the cache is never written")
		}
		time.Sleep(300 * time.Millisecond)
	}
	if got, stderr := u.run("list"); got != want || stderr != "" {
		t.Errorf("with the cache: got %s\n%s", got, stderr)
	}
	health := `"errors":0,"warnings":`
	if got, _ := u.run("call", "health/check", `{"detail":true}`); !strings.Contains(got, health) || strings.Contains(got, health+"0") {
		t.Errorf("the warnings are gone: %s", got)
	}
	u.write("f7.md", "# A new title\n")
	if got, _ := u.run("get", "f7"); !strings.Contains(got, "A new title") {
		t.Errorf("a change is not seen: %s", got)
	}
	u.spoil(u.kept())
}

// spoil damages the cache: that is said, and the answers are right.
func (u *cacheUser) spoil(kept []string) {
	u.Helper()
	if len(kept) != 1 {
		u.Fatalf("kept are %v", kept)
	}
	if err := os.Truncate(kept[0], 3000); err != nil {
		u.Fatal(err)
	}
	got, stderr := u.run("get", "f7")
	if !strings.Contains(got, "A new title") || !strings.Contains(stderr, "every file is read") || !strings.Contains(stderr, "damaged") {
		u.Errorf("got %s\nsaid %s", got, stderr)
	}
	for deadline := time.Now().Add(guard); ; { // one that gives up writing it leaves that to the next
		_, stderr := u.run("get", "f7")
		if stderr == "" {
			return
		}
		if time.Now().After(deadline) {
			u.Fatalf("the cache is never written anew: %s", stderr)
		}
	}
}

func TestUserCacheFolder(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ xdg, home, want string }{
		{"/x", "/y", "/x"},
		{"relative", "", ""},
		{"", "", ""},
		{"", "relative", ""},
	} {
		env := func(name string) string { return map[string]string{"XDG_CACHE_HOME": tt.xdg, "HOME": tt.home}[name] }
		if got := userCacheFolder(env); got != tt.want {
			t.Errorf("%q, %q: got %q, want %q", tt.xdg, tt.home, got, tt.want)
		}
	}
}
