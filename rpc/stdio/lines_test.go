package stdio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// cutPlainly is what a lineReader does, to a text as a whole.
func cutPlainly(text string, limit int) []string {
	var lines []string
	first := true
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if len(strings.TrimSuffix(line, "\r")) > limit {
			lines = append(lines, errLineTooLong.Error())
			first = false
			continue
		}
		if first {
			line, first = strings.TrimPrefix(line, "\uFEFF"), false
		}
		if line = strings.Trim(line, " \t\r\n"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// cutByReader reads the lines of a stream that has no errors.
func cutByReader(t *testing.T, r *lineReader) []string {
	t.Helper()
	var lines []string
	for {
		line, err := r.next()
		switch {
		case errors.Is(err, errLineTooLong):
			lines = append(lines, err.Error())
		case errors.Is(err, io.EOF):
			return lines
		case err != nil:
			t.Fatal(err)
		default:
			lines = append(lines, string(line))
		}
		if len(r.buf) > max(r.limit+2, keptBuffer) {
			t.Fatalf("the buffer has grown to %d bytes for lines of up to %d", len(r.buf), r.limit)
		}
	}
}

// FuzzLines: however a stream arrives, and however small the buffer is at first,
// the lines are those of its text.
func FuzzLines(f *testing.F) {
	for _, text := range []string{
		"", "\n", "a", "a\n", "a\r\n\r\n b \n", "\uFEFFa\n\uFEFFb", "\uFEFF", "\n\uFEFFa", "12345\n123456\n1234567\n1", "1234567", "123456\r\n12345\r\n", "1234567\r\n123456\r1\n123456\r",
	} {
		f.Add(text, 6, 2)
	}
	f.Fuzz(func(t *testing.T, text string, limit, buffer int) {
		limit, buffer = min(max(limit, 1), 1000), min(max(buffer, 1), 100)
		want := cutPlainly(text, limit)
		for name, in := range map[string]io.Reader{
			"at once": strings.NewReader(text), "bytewise": iotest.OneByteReader(strings.NewReader(text)),
			"with its end": iotest.DataErrReader(strings.NewReader(text)), "in halves": iotest.HalfReader(strings.NewReader(text)),
		} {
			r := newLineReader(in, limit)
			r.buf = make([]byte, buffer)
			if got := cutByReader(t, r); !slices.Equal(got, want) {
				t.Errorf("%s, limit %d, buffer %d: %q is cut into %q, want %q", name, limit, buffer, text, got, want)
			}
		}
	})
}

// TestLongLines: the buffer grows for lines that are longer than it. A very large
// one is kept for a few lines, and for longer if it is needed again.
func TestLongLines(t *testing.T) {
	t.Parallel()
	long, short := strings.Repeat("b", 3*keptBuffer)+"\n", strings.Repeat("c\n", keptLines-1)
	text := strings.Repeat("a", firstBuffer) + "\n" + long + short + long + short + "d\n" + strings.Repeat("e", keptBuffer-1) + "\n"
	r := newLineReader(iotest.OneByteReader(strings.NewReader(text)), DefaultMaxLine)
	var made []int // the sizes of the buffer
	for _, want := range cutPlainly(text, DefaultMaxLine) {
		line, err := r.next()
		if err != nil || string(line) != want {
			t.Fatalf("%.20q, %v, want %.20q", line, err, want)
		}
		if len(made) == 0 || made[len(made)-1] != len(r.buf) {
			made = append(made, len(r.buf))
		}
	}
	if want := []int{2 * firstBuffer, 4 * keptBuffer, keptBuffer}; !slices.Equal(made, want) {
		t.Errorf("the buffer had %d bytes, want %d", made, want)
	}
}

// TestReaderWithoutProgress: a stream that gives nothing and does not end is an error.
func TestReaderWithoutProgress(t *testing.T) {
	t.Parallel()
	if _, err := newLineReader(stuck{}, 10).next(); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("got %v", err)
	}
}

type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// TestSlowCallsOutliveTheirLine: what a call needs is still there when other lines
// have taken the place of its own.
func TestSlowCallsOutliveTheirLine(t *testing.T) {
	t.Parallel()
	y := newToy(t)
	close(y.release)
	s := y.start(t, time.Minute)
	var lines, want []string
	for i := range 200 {
		lines = append(lines, fmt.Sprintf(`{"jsonrpc":"2.0","id":"%03d","method":"test/slow","params":{"text":"text %d"}}`+"\n", i, i))
		want = append(want, fmt.Sprintf(`{"jsonrpc":"2.0","id":"%03d","result":{"text":"text %d"}}`, i, i))
	}
	go func() {
		for _, line := range lines {
			_, _ = io.WriteString(s.in, line) // what does not arrive is not answered
		}
	}()
	var got []string
	for range want {
		got = append(got, s.receive(t))
	}
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func BenchmarkLines(b *testing.B) {
	for name, length := range map[string]int{"100B": 100, "500KB": 500_000} {
		b.Run(name, func(b *testing.B) {
			line := append(bytes.Repeat([]byte("x"), length), '\n')
			r := newLineReader(&again{text: line, n: 1 << 60}, DefaultMaxLine)
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := r.next(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
