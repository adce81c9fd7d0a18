package stdio

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestTranscripts plays what clients send and compares what comes back, byte
// for byte. A section "quoted" is a client section of Go string literals,
// for bytes that a text file cannot hold.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			client, want := sections(t, archive)
			if got := newToy(t).serve(t, client); got != want {
				t.Errorf("client sent:\n%s\nserver answered:\n%s\nwant:\n%s", client, got, want)
			}
		})
	}
}

func sections(t *testing.T, archive *txtar.Archive) (client, server string) {
	t.Helper()
	for _, f := range archive.Files {
		switch f.Name {
		case "client":
			client += string(f.Data)
		case "quoted":
			client += unquote(t, string(f.Data))
		case "server":
			server += string(f.Data)
		default:
			t.Fatalf("unknown section %q", f.Name)
		}
	}
	return client, server
}

func unquote(t *testing.T, literals string) string {
	t.Helper()
	var text strings.Builder
	for literal := range strings.Lines(literals) {
		part, err := strconv.Unquote(strings.TrimSpace(literal))
		if err != nil {
			t.Fatalf("%s: %v", literal, err)
		}
		text.WriteString(part)
	}
	return text.String()
}
