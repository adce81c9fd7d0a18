package source

import (
	"compress/gzip"
	"encoding/binary"
	"io"
	"strings"
	"testing"
	"unicode/utf16"
)

// Content that is not text causes one error, because it has no lines to report
// individually.
func TestBundleThatIsNoText(t *testing.T) {
	t.Parallel()
	var gzipped strings.Builder
	w := gzip.NewWriter(&gzipped)
	_, _ = io.WriteString(w, strings.Repeat(minimal("a")+"\n", 100))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	wide := utf16.Encode([]rune(minimal("a") + "\n"))
	for _, name := range []string{"b.jsonl", "b.jsonl.zst"} {
		_, err := New(writeBundle(t, name, gzipped.String())).Load(t.Context())
		if err == nil || !strings.Contains(err.Error(), "it is compressed with gzip: decompress it, or compress it with Zstandard") {
			t.Errorf("%s of gzip: %v", name, err)
		}
	}
	for name, order := range map[string]binary.AppendByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian} {
		var content []byte
		for _, unit := range wide {
			content = order.AppendUint16(content, unit)
		}
		_, err := New(writeBundle(t, "b.jsonl", string(content))).Load(t.Context())
		if err == nil || !strings.Contains(err.Error(), "binary data or UTF-16: save it as text in UTF-8") {
			t.Errorf("UTF-16, %s end first: %v", name, err)
		}
	}
}
