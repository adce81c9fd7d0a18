//go:build unix

package main

import (
	"os"
	"strings"
	"testing"
)

// When root runs install, the file and its backup keep their owner.
func TestInstallKeepsTheOwner(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can give a file away")
	}
	h := newHome(t)
	h.write(".cursor/mcp.json", "{}", 0o640)
	want := owner{1000, 1001}
	if err := os.Chown(h.path(".cursor/mcp.json"), want.uid, want.gid); err != nil {
		t.Skip(err)
	}
	h.run(exitClean, "install", "cursor", "--global")
	for _, name := range []string{".cursor/mcp.json", ".cursor/mcp.json.bak"} {
		info, err := os.Stat(h.path(name))
		if err != nil {
			t.Fatal(err)
		}
		if got := ownerOf(info); got != want || info.Mode().Perm() != 0o640 {
			t.Errorf("%s belongs to %v with %v, want %v", name, got, info.Mode(), want)
		}
	}
}

// If the owner cannot be kept, nothing is written.
func TestInstallRefusesAnotherOwner(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		t.Skip("root can give every file away")
	}
	h := newHome(t)
	h.write("f.json", "{}", 0o644)
	c := h.config("f.json")
	var err error
	if c.info, err = os.Stat("/"); err != nil { // owned by root
		t.Fatal(err)
	}
	if _, err := c.rewrite([]byte("ours")); err == nil || !strings.Contains(err.Error(), "its owner cannot be kept") {
		t.Error(err)
	}
	if got := h.names("."); got != "f.json" || h.read("f.json") != "{}" {
		t.Errorf("files: %s with %s", got, h.read("f.json"))
	}
}
