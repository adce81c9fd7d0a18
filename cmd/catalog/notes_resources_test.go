package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestNotesAreResources checks that a client of either transport finds a note by its
// template, reads its file, and is notified of its changes, but not of changed lists,
// because notes are in none.
func TestNotesAreResources(t *testing.T) {
	t.Parallel()
	for name, transport := range map[string]func(t *testing.T, dir string) mcp.Transport{
		"pipe": func(t *testing.T, dir string) mcp.Transport {
			cmd := exec.CommandContext(t.Context(), string(build(t)), "serve", "--dir", clientsCatalog(t), "--notes", dir)
			cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "XDG_STATE_HOME="+t.TempDir())
			return &mcp.CommandTransport{Command: cmd, TerminateDuration: guard}
		},
		"HTTP": func(t *testing.T, dir string) mcp.Transport {
			needSignals(t)
			return &mcp.StreamableClientTransport{Endpoint: build(t).listen(t, "--notes", dir, "--notes-read-only").url + "/mcp"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeVault(t, dir, map[string]string{"a.md": "---\ntags: x\n---\n[[My Note]]\n", "sub/My Note.md": "one\n"})
			c := newNoteReader(t, transport(t, dir))
			const uri = "note://sub/My%20Note.md"
			if got := c.read(t, uri); got != "one\n" {
				t.Errorf("got %q", got)
			}
			if got := c.read(t, "note://a.md"); got != "---\ntags: x\n---\n[[My Note]]\n" {
				t.Errorf("got %q", got)
			}
			if got := c.read(t, "note://sub/my%20note.md"); !strings.Contains(got, "nearest") || !strings.Contains(got, uri) {
				t.Errorf("got %q", got)
			}
			c.completes(t, "MY", "sub/My Note.md")
			for _, subscribed := range []string{uri, "note://sub%2FMy%20Note.md"} {
				if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: subscribed}); err != nil {
					t.Fatal(err)
				}
			}
			writeVault(t, dir, map[string]string{"a.md": "other", "sub/My Note.md": "two\n"})
			c.hears(t, uri, "note://sub%2FMy%20Note.md")
			if got := c.read(t, uri); got != "two\n" {
				t.Errorf("got %q", got)
			}
			if err := os.Remove(filepath.Join(dir, "sub", "My Note.md")); err != nil {
				t.Fatal(err)
			}
			c.hears(t, uri, "note://sub%2FMy%20Note.md")
			if err := c.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// noteReader is an MCP client that reads notes as resources.
type noteReader struct {
	*mcp.ClientSession
	updated chan string // URIs
}

func newNoteReader(t *testing.T, transport mcp.Transport) *noteReader {
	t.Helper()
	c := &noteReader{updated: make(chan string, 100)}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, req *mcp.ResourceUpdatedNotificationRequest) { c.updated <- req.Params.URI },
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) {
			t.Error("the list of resources is said to have changed")
		},
	})
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	c.ClientSession = session
	return c
}

// read returns the text of a resource, or the error.
func (c *noteReader) read(t *testing.T, uri string) string {
	t.Helper()
	result, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return err.Error()
	}
	if len(result.Contents) != 1 || result.Contents[0].URI != uri || result.Contents[0].MIMEType != "text/markdown" {
		t.Errorf("%s: %+v", uri, result.Contents)
	}
	return result.Contents[0].Text
}

// completes checks that there is a template of notes, and what completes its variable.
func (c *noteReader) completes(t *testing.T, typed, want string) {
	t.Helper()
	list, err := c.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, template := range list.ResourceTemplates {
		if template.Name != "note" {
			continue
		}
		result, err := c.Complete(t.Context(), &mcp.CompleteParams{
			Ref: &mcp.CompleteReference{Type: "ref/resource", URI: template.URITemplate}, Argument: mcp.CompleteParamsArgument{Name: "id", Value: typed},
		})
		if err != nil || strings.Join(result.Completion.Values, "\n") != want {
			t.Errorf("%q is completed to %v, %v", typed, result, err)
		}
		return
	}
	t.Error("there is no template of notes")
}

// hears waits until the client was notified of each URI.
func (c *noteReader) hears(t *testing.T, uris ...string) {
	t.Helper()
	missing := map[string]bool{}
	for _, uri := range uris {
		missing[uri] = true
	}
	for len(missing) > 0 {
		select {
		case uri := <-c.updated:
			delete(missing, uri)
		case <-t.Context().Done():
			t.Fatalf("no notification of %v", missing)
		}
	}
}

// TestNotesAreHeardFromTheBeginning checks that a client of the stateless protocol that
// only listens is notified of a change of a note.
func TestNotesAreHeardFromTheBeginning(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeVault(t, dir, map[string]string{"a.md": "one"})
	s := build(t).serveNotes(t, dir, "--notes-read-only")
	s.send(`{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["note://a.md"]},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n")
	s.hear("subscriptions/acknowledged")
	writeVault(t, dir, map[string]string{"a.md": "two"})
	s.hear(`"uri":"note://a.md"`)
	s.hangUp()
}
