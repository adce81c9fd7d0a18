package main

import (
	"fmt"
	"strings"
	"testing"
)

// A client that requests progress is notified during the first load.
func TestFirstLoadTellsProgress(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	s := build(t).serve(t, l.dir)
	s.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}` + "\n")
	s.line()
	s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	s.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"instructions_search","arguments":{"q":"text"},"_meta":{"progressToken":"p"}}}` + "\n")
	var heard []string
	for {
		line := s.line()
		if strings.Contains(line, `"id":2`) {
			break
		}
		heard = append(heard, line)
	}
	want := fmt.Sprintf(`"progress":%d,"total":%[1]d`, 3)
	if all := strings.Join(heard, "\n"); !strings.Contains(all, `"progressToken":"p"`) || !strings.Contains(all, want) {
		t.Errorf("heard %q, want %s", all, want)
	}
	s.end()
}

// line reads one line of any content.
func (s *session) line() string {
	s.t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.t.Fatal(err)
	}
	return line
}
