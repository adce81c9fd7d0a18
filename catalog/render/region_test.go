package render_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"instruction-catalog/catalog/render"
)

const markers = render.Begin + "\nours\n" + render.End + "\n"

func TestRegions(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, file, content, cut, put string }{
		{"no file", "", "-", "", render.Begin + "\nnew\n" + render.End + "\n"},
		{"no region", "# A\n", "-", "# A\n", "# A\n" + render.Begin + "\nnew\n" + render.End + "\n"},
		{"no newline at the end", "# A", "-", "# A", "# A\n" + render.Begin + "\nnew\n" + render.End + "\n"},
		{"CRLF", "# A\r\n", "-", "# A\r\n", "# A\r\n" + render.Begin + "\r\nnew\r\n" + render.End + "\r\n"},
		{"alone", markers, "ours\n", "", render.Begin + "\nnew\n" + render.End + "\n"},
		{"between texts", "above\n" + markers + "below", "ours\n", "above\nbelow", "above\n" + render.Begin + "\nnew\n" + render.End + "\nbelow"},
		{"byte order mark", "\ufeff" + markers, "ours\n", "\ufeff", "\ufeff" + render.Begin + "\nnew\n" + render.End + "\n"},
		{"empty", render.Begin + "\n" + render.End, "", "", render.Begin + "\nnew\n" + render.End},
		{"blanks after a marker", render.Begin + " \r\nours\r\n" + render.End + "\t\r\n", "ours\r\n", "", render.Begin + " \r\nnew\r\n" + render.End + "\t\r\n"},
		{"indented markers are text", "  " + render.Begin + "\n", "-", "  " + render.Begin + "\n", "  " + render.Begin + "\n" + render.Begin + "\nnew\n" + render.End + "\n"},
	} {
		content, err := render.Content([]byte(tt.file))
		if err != nil || !bytes.Equal(content, text(tt.content)) || (content == nil) != (tt.content == "-") {
			t.Errorf("%s: content %q, %v", tt.name, content, err)
		}
		if cut, err := render.Cut([]byte(tt.file)); err != nil || string(cut) != tt.cut {
			t.Errorf("%s: cut %q, %v", tt.name, cut, err)
		}
		if put, err := render.Put([]byte(tt.file), []byte("new\n")); err != nil || string(put) != tt.put {
			t.Errorf("%s: put %q, %v", tt.name, put, err)
		}
	}
}

func TestMarkersThatAreAConflict(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"two begins":       render.Begin + "\n" + markers,
		"two regions":      markers + markers,
		"no end":           render.Begin + "\nours\n",
		"no begin":         "ours\n" + render.End + "\n",
		"end before begin": render.End + "\n" + render.Begin + "\n",
		"two ends":         markers + render.End + "\n",
	} {
		if _, err := render.Put([]byte(file), nil); !errors.Is(err, render.ErrMarkers) {
			t.Errorf("%s: put says %v", name, err)
		}
		if _, err := render.Cut([]byte(file)); !errors.Is(err, render.ErrMarkers) {
			t.Errorf("%s: cut says %v", name, err)
		}
	}
}

// FuzzRegion checks that Find finds what Put has added, that a second Put changes
// nothing, and that no byte outside the region changes.
func FuzzRegion(f *testing.F) {
	f.Add("# A\r\n", "new\n")
	f.Add("above\n"+markers+"below", "a\r\nb\n")
	f.Add(render.End+"\n"+render.Begin, "")
	f.Fuzz(func(t *testing.T, file, content string) {
		if content != "" && !strings.HasSuffix(content, "\n") || render.HasMarker([]byte(content)) {
			return
		}
		put, err := render.Put([]byte(file), []byte(content))
		if err != nil {
			return
		}
		got, err := render.Content(put)
		if err != nil || render.Decide("", []byte(content), got) != render.Same {
			t.Fatalf("%q in %q: found %q, %v", content, file, got, err)
		}
		if again, err := render.Put(put, got); err != nil || !bytes.Equal(again, put) {
			t.Fatalf("%q put again: %q, %v", put, again, err)
		}
		before, _ := render.Cut([]byte(file))
		after, err := render.Cut(put)
		if err != nil || !bytes.HasPrefix(after, before) || strings.TrimLeft(string(after[len(before):]), "\r\n") != "" {
			t.Fatalf("outside of the region %q became %q, %v", before, after, err)
		}
	})
}
