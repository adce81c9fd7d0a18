package main

import (
	"bytes"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// must runs a command that must succeed, and returns its output.
func (p program) must(t *testing.T, args ...string) []byte {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), string(p), args...).Output()
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	return out
}

// signedCatalog is a catalog that is served and changed, with its keys.
type signedCatalog struct {
	live
	program
	secret, public string // files
}

func newSigned(t *testing.T, p program) signedCatalog {
	t.Helper()
	dir := t.TempDir()
	c := signedCatalog{newLive(t), p, filepath.Join(dir, "key"), filepath.Join(dir, "key.pub")}
	c.live.must(os.WriteFile(c.public, p.must(t, "--dir", c.dir, "keygen", "--key", c.secret), 0o600))
	c.sign()
	return c
}

func (c signedCatalog) sign() {
	c.t.Helper()
	c.program.must(c.t, "--dir", c.dir, "lock")
	c.program.must(c.t, "--dir", c.dir, "sign", "--key", c.secret)
}

// An unsigned edit is not served, and health/check and the log report it. Once it is
// signed, it is served.
func TestServeKeepsToWhatIsSigned(t *testing.T) {
	t.Parallel()
	c := newSigned(t, build(t))
	s := c.serve(t, c.dir, "--require-signed", c.public)
	s.until("instructions/list", "{}", `"count":3`)
	for name, change := range map[string]struct{ do, undo func() }{
		"an edited body":  {func() { c.write("a.md", "# Title\n\nHostile text.\n") }, func() { c.write("a.md", "# Title\n\nFirst text.\n") }},
		"an added entry":  {func() { c.write("new/d.md", "# Title\n\nHostile text.\n") }, func() { c.live.must(os.Remove(c.path("new/d.md"))) }},
		"a removed entry": {func() { c.live.must(os.Rename(c.path("b.md"), c.path("b"))) }, func() { c.live.must(os.Rename(c.path("b"), c.path("b.md"))) }},
		"other gates":     {func() { c.write("gates.json", `{"gates":[]}`) }, func() { c.live.must(os.Remove(c.path("gates.json"))) }},
		"no signature":    {func() { c.live.must(os.Rename(c.path("catalog.sum.note"), c.path("n"))) }, func() { c.live.must(os.Rename(c.path("n"), c.path("catalog.sum.note"))) }},
	} {
		change.do()
		s.until("health/check", `{"detail":true}`, `"stale":"only a catalog signed by catalog+`)
		list := s.call("instructions/list", "{}")
		text := s.call("tools/call", `{"name":"instructions_get","arguments":{"id":"a"},`+ // an agent without a session, who is sent no news
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}`)
		if strings.Contains(string(list.line), "Hostile") || !strings.Contains(string(list.line), `"count":3`) || !strings.Contains(string(text.line), "First text") {
			t.Errorf("%s is served: %s\n%s", name, list.line, text.line)
		}
		if gates := s.call("gates/evaluate", "{}"); !strings.Contains(string(gates.line), "notConfigured") {
			t.Errorf("%s: gates are evaluated that are not signed: %s", name, gates.line)
		}
		if proof := s.call("instructions/get", `{"id":"a","proof":true}`); !strings.Contains(string(proof.line), `"proof":{"index":0`) {
			t.Errorf("%s: what is served has no proof: %s", name, proof.line)
		}
		change.undo()
		s.until("health/check", `{"detail":true}`, `!"stale"`)
	}
	c.write("a.md", "# Title\n\nReviewed text.\n")
	c.sign()
	s.until("instructions/list", "{}", "Reviewed text")
	s.end()
	if log := s.stderr.String(); !strings.Contains(log, "the previous state of the catalog is still served: only a catalog") {
		t.Errorf("the log says %s", log)
	}
}

// As long as no signed catalog exists, every call that needs one fails, over each
// protocol.
func TestServeWithoutSignature(t *testing.T) {
	t.Parallel()
	c := newSigned(t, build(t))
	c.write("a.md", "# Title\n\nHostile text.\n")
	s := c.serve(t, c.dir, "--require-signed", c.public)
	s.send(handshake)
	s.receive()
	for _, call := range [][2]string{
		{"instructions/list", "{}"}, {"instructions/get", `{"id":"a"}`}, {"instructions/search", `{"q":"text"}`}, {"instructions/diff", "{}"},
		{"gates/evaluate", "{}"}, {"integrity/verify", "{}"}, {"usage/hotset", "{}"}, {"usage/track", `{"id":"a"}`}, {"instructions/subscribe", "{}"},
		{"tools/call", `{"name":"instructions_search","arguments":{"q":"text"}}`}, {"resources/read", `{"uri":"instruction://a"}`},
		{"resources/list", "{}"}, {"prompts/get", `{"name":"instructions","arguments":{"category":"a"}}`},
	} {
		answer := string(s.call(call[0], call[1]).line)
		if !strings.Contains(answer, "rror") || strings.Contains(answer, "Hostile") {
			t.Errorf("%s: %s", call[0], answer)
		}
	}
	if health := s.call("health/check", `{"detail":true}`); !strings.Contains(string(health.line), `"state":"failed"`) {
		t.Errorf("%s", health.line)
	}
	c.sign()
	s.until("instructions/list", "{}", "Hostile")
	s.end()
}

// The same holds over HTTP.
func TestHTTPServesWhatIsSigned(t *testing.T) {
	t.Parallel()
	c := newSigned(t, build(t))
	s := c.listen(t, "--dir", c.dir, "--require-signed", c.public)
	ask := func() string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/mcp", bytes.NewBufferString(
			`{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"instruction://a",`+
				`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
			"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "resources/read", "Mcp-Name": "instruction://a",
		} {
			r.Header.Set(name, value)
		}
		answer, err := s.client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	c.write("a.md", "# Title\n\nHostile text.\n")
	if got := ask(); !strings.Contains(got, "only a catalog signed by catalog+") || strings.Contains(got, "Hostile") {
		t.Errorf("what nobody has signed: %s", got)
	}
	c.write("a.md", "# Title\n\nFirst text.\n")
	if got := ask(); !strings.Contains(got, "First text") {
		t.Errorf("what is signed: %s", got)
	}
}
