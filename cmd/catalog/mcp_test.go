package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"instruction-catalog/bench"
	"instruction-catalog/toolsets/instructions"
)

// The binary as an agent's host sees it.

const handshake = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// large returns a folder of 5,000 generated entries, and two with the longest title, id
// and snippet that a search can return, in characters that take the most bytes.
func large(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := bench.Generate(t.Context(), dir, 5000, 1); err != nil {
		t.Fatal(err)
	}
	for name, worst := range map[string]map[string]any{
		"a": {"title": strings.Repeat("\u0001", 199) + "!", "body": strings.Repeat("worst-of-all \u0002\U0001F600", 400)},
		"b": {"title": strings.Repeat("<", 200), "body": strings.Repeat("angle-brackets <<<<>>>>&&&&", 400)},
	} {
		worst["id"], worst["priority"], worst["audience"] = strings.Repeat(name, 120), 1, "all"
		worst["requirement"], worst["categories"] = "critical", []string{"worst"}
		encoded, err := json.Marshal(worst)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name+".json"), encoded, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// stateless holds the fields that every request has from protocol version 2026-07-28
// on, instead of a handshake.
const stateless = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"test","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}`

// TestContextBudget measures how much of an agent's context the tools and a search in
// 5,000 entries take, before and after that version.
func TestContextBudget(t *testing.T) {
	t.Parallel()
	p, dir := build(t), large(t)
	for era, meta := range map[string]string{"2025-11-25": "}", "2026-07-28": stateless} {
		t.Run(era, func(t *testing.T) {
			s := p.serve(t, dir)
			if era == "2025-11-25" {
				s.send(handshake)
				s.receive()
			}
			tools := s.call("tools/list", strings.Replace("{"+meta, "{,", "{", 1))
			t.Logf("tools/list: %d bytes", len(tools.line))
			if tools.Error != nil || len(tools.line) >= 6000 {
				t.Errorf("tools/list: %d bytes, must be under 6,000: %.300s", len(tools.line), tools.line)
			}
			for _, q := range []string{"", "a", "e", "the", "error", "security", "worst-of-all", "angle-brackets", "no such words anywhere", strings.Repeat("z", 1000)} {
				expectHit(t, s.call("tools/call", fmt.Sprintf(`{"name":"instructions_search","arguments":{"q":%q}%s`, q, meta)), q)
			}
			s.end()
		})
	}
}

// TestGuidanceNamesToolsThatThereAre checks that the server offers the tools that it
// tells a model to call.
func TestGuidanceNamesToolsThatThereAre(t *testing.T) {
	t.Parallel()
	s := build(t).serve(t, t.TempDir())
	s.send(handshake)
	toolset := instructions.New(instructions.Config{Now: time.Now}).Toolset()
	guidance, withoutTools := toolset.Guidance, toolset.GuidanceWithoutTools
	said := regexp.MustCompile(`[a-z]+_[a-z]+`).FindAllString(guidance, -1)
	if opening := s.receive(); len(said) == 0 || !strings.Contains(string(opening.line), said[0]) {
		t.Fatalf("%q names %q; the server says %.900s", guidance, said, opening.line)
	}
	tools := s.call("tools/list", "{}").line
	for _, name := range said {
		if !strings.Contains(string(tools), `"name":"`+name+`"`) {
			t.Errorf("%s is no tool", name)
		}
	}
	if strings.Contains(withoutTools, "_") {
		t.Errorf("without tools, none is to be named: %s", withoutTools)
	}
	s.end()
}

// expectHit checks the size of a search answer and what it says about each hit.
func expectHit(t *testing.T, a response, q string) {
	t.Helper()
	var result struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent struct {
			Hash  string
			Count int
			Items []struct {
				ID, Title, Requirement string
				Snippet                struct{ Text string }
			}
		}
	}
	if err := json.Unmarshal(a.Result, &result); err != nil || result.IsError || len(result.Content) != 1 {
		t.Fatalf("%.20q: %v: %.300s", q, err, a.line)
	}
	found, text := result.StructuredContent, result.Content[0].Text
	t.Logf("search %.20q: %d found, %d shown, %d bytes", q, found.Count, len(found.Items), len(a.line))
	if len(a.line) >= 4000 {
		t.Errorf("%.20q: %d bytes, must be under 4,000", q, len(a.line))
	}
	if len(found.Items) == 0 && found.Count > 0 || len(found.Hash) != 64 || !strings.Contains(text, found.Hash[:12]) {
		t.Errorf("%.20q: %d of %d shown, hash %q: %s", q, len(found.Items), found.Count, found.Hash, text)
	}
	for _, item := range found.Items {
		if item.ID == "" || item.Title == "" || item.Requirement == "" || item.Snippet.Text == "" || !strings.Contains(text, item.ID) {
			t.Errorf("%.20q: %+v is not told in full, or not in the text:\n%s", q, item, text)
		}
	}
}

// TestGetIsTruncated checks that a long body comes in parts, each once, and that the
// first says how to get the next.
func TestGetIsTruncated(t *testing.T) {
	t.Parallel()
	p := build(t)
	dir := t.TempDir()
	body := strings.Repeat("0123456789", 2531) // 25,310 characters
	if err := os.WriteFile(filepath.Join(dir, "long.md"), []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	s := p.serve(t, dir)
	s.send(handshake)
	s.receive()
	for offset := 0; offset < len(body); offset += 10000 {
		a := s.call("tools/call", fmt.Sprintf(`{"name":"instructions_get","arguments":{"id":"long","bodyOffset":%d}}`, offset))
		var result struct {
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
		}
		if err := json.Unmarshal(a.Result, &result); err != nil || len(result.Content) != 1 || result.StructuredContent != nil {
			t.Fatalf("%v: %.300s", err, a.line)
		}
		text, end := result.Content[0].Text, min(offset+10000, len(body))
		if _, part, _ := strings.Cut(text, "\n\n"); !strings.HasPrefix(part, body[offset:end]) || strings.HasPrefix(part, body[offset:end]+"0") {
			t.Errorf("from %d on the text lacks the part: %s", offset, text)
		}
		last := end == len(body)
		if strings.Contains(text, "... [truncated]") == last || strings.Contains(text, fmt.Sprintf(`"bodyOffset":%d`, end)) == last {
			t.Errorf("from %d on the text ends in …%s", offset, text[max(0, len(text)-200):])
		}
	}
	s.end()
}

// TestMCPEndOfInput sends initialize and ten calls and ends the input, 200 times.
func TestMCPEndOfInput(t *testing.T) {
	t.Parallel()
	p := build(t)
	dir := fixture(t)
	input := handshake
	for n := range 10 {
		input += request(n, "tools/call", `{"name":"usage_track","arguments":{"id":"secrets"}}`)
	}
	for range 50 {
		s := p.serve(t, dir)
		if _, err := io.WriteString(s.in, input); err != nil {
			t.Fatal(err)
		}
		s.in.Close()
		answers := s.drain()
		if code := s.wait(); code != exitClean || len(answers) != 11 {
			t.Fatalf("%d answers, exit code %d: %s", len(answers), code, &s.stderr)
		}
		for n, a := range answers[1:] {
			if string(a.ID) != strconv.Itoa(n) || !strings.Contains(string(a.Result), fmt.Sprintf(`"usageCount":%d`, n+1)) {
				t.Fatalf("answer %d is %s", n, a.line)
			}
		}
	}
}
