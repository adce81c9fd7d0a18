//go:build linux

package main

import (
	"strings"
	"testing"
	"time"
)

// On a terminal, long work shows its progress and then removes it. Short work shows
// nothing.
func TestProgressIsShownOfLongWork(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, term string
		waits      time.Duration
		want       bool
	}{
		{"long", "xterm", patience, true},
		{"short", "xterm", 0, false},
		{"long, on a terminal that shows no bar", "dumb", patience, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			stderr := openTerminal(t)
			a := &app{stderr: stderr.File, env: func(string) string { return tt.term }}
			show, finish := a.showing("files")
			start := time.Now()
			time.Sleep(tt.waits)
			show(40, 100)
			quick := time.Since(start) < patience
			finish()
			shown := stderr.shown()
			if has := strings.Contains(shown, "40%") && strings.Contains(shown, "files"); has != tt.want && (tt.want || quick) {
				t.Errorf("shown: %q", shown)
			}
		})
	}
}
