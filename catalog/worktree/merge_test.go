package worktree

import "testing"

func TestMerge(t *testing.T) {
	t.Parallel()
	const base = "a\nb\nc\nd\n"
	tests := []struct{ name, ours, theirs, want string }{
		{"neither", base, base, base},
		{"ours", "A\nb\nc\nd\n", base, "A\nb\nc\nd\n"},
		{"theirs", base, "a\nb\nc\n", "a\nb\nc\n"},
		{"apart", "A\nb\nc\nd\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n"},
		{"apart, an insertion", "x\na\nb\nc\nd\n", "a\nb\nc\ny\nd\n", "x\na\nb\nc\ny\nd\n"},
		{"the same", "a\nB\nc\nd\n", "a\nB\nc\nd\n", "a\nB\nc\nd\n"},
		{"the same, and one more", "a\nB\nc\nd\n", "a\nB\nc\nd\ne\n", "a\nB\nc\nd\ne\n"},
		{"line ends", "A\r\nb\r\nc\r\nd\r\n", "a\nb\nc\nD\n", "A\nb\nc\nD\n"},
		{"one line", "a\nB1\nc\nd\n", "a\nB2\nc\nd\n", ""},
		{"lines side by side", "a\nB\nc\nd\n", "a\nb\nC\nd\n", ""},
		{"two texts at one place", base + "x\n", base + "y\n", ""},
		{"edited and deleted", "a\nB\nc\nd\n", "a\nd\n", ""},
	}
	for _, tt := range tests {
		got, ok := merge([]byte(base), []byte(tt.ours), []byte(tt.theirs))
		other, _ := merge([]byte(base), []byte(tt.theirs), []byte(tt.ours))
		if string(got) != tt.want || ok != (tt.want != "") || string(other) != tt.want {
			t.Errorf("%s: got %q (%v), the other way round %q, want %q", tt.name, got, ok, other, tt.want)
		}
	}
}
