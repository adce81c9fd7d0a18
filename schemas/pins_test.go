package schemas_test

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func TestContractIsPinned(t *testing.T) {
	t.Parallel()
	for _, folder := range folders(t) {
		if err := checkPins(os.DirFS(folder)); err != nil {
			t.Errorf("%s: %v", folder, err)
		}
	}
}

// TestChangedContractIsNoticed checks that a changed contract fails the check, with an
// error that says what to do.
func TestChangedContractIsNoticed(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change func(fstest.MapFS)
		want   string
	}{
		{"one word", func(f fstest.MapFS) { replace(f, "instructions.get.json", "whole", "entire") }, "instructions.get.json differs from its pin"},
		{"a new document", func(f fstest.MapFS) { f["tasks.add.json"] = f["types.json"] }, "tasks.add.json is not pinned"},
		{"a missing document", func(f fstest.MapFS) { delete(f, "types.json") }, "types.json is pinned and missing"},
		{"no pins", func(f fstest.MapFS) { delete(f, "SHA256SUMS") }, "the documents are not pinned"},
		{"a line without a hash", func(f fstest.MapFS) { replace(f, "SHA256SUMS", "  ", " ") }, "is no line of sha256sum"},
		{"lines out of order", func(f fstest.MapFS) { f["SHA256SUMS"].Data = bytes.Repeat(f["SHA256SUMS"].Data, 2) }, "in the order of names"},
	}
	rule := []string{
		"An additive change raises the minor version of the contract", "any other change starts v2/",
		"the change log of docs/TOOLS.md", "sha256sum *.json > SHA256SUMS",
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			changed := documents(t)
			tt.change(changed)
			err := checkPins(changed)
			if err == nil {
				t.Fatal("the change is not noticed")
			}
			for _, want := range append(rule, tt.want) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("the error does not say %q:\n%v", want, err)
				}
			}
		})
	}
}

func replace(f fstest.MapFS, name, from, to string) {
	f[name].Data = bytes.Replace(f[name].Data, []byte(from), []byte(to), 1)
}
