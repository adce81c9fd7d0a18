package sum

import (
	"bytes"
	"strings"
	"testing"

	"instruction-catalog/catalog"
)

// FuzzParse checks that a parsed sum is written with the same bytes.
func FuzzParse(f *testing.F) {
	f.Add(Of(snapshot(3), map[string][]byte{catalog.GatesFile: []byte(`{}`)}).Bytes())
	f.Add([]byte("a " + strings.Repeat("0", 64) + "\r\n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err == nil && !bytes.Equal(s.Bytes(), data) {
			t.Errorf("%q is read as %q", data, s.Bytes())
		}
	})
}

// FuzzNote checks that a note that verifies is the one that was signed.
func FuzzNote(f *testing.F) {
	signer, key := keys(f, "team")
	s := Of(snapshot(3), nil)
	good, _, err := signer.Sign(s, signedAt)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add(append(bytes.Clone(good), "— other AAAAAAAA\n"...))
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, err := key.Verify(data, s, signedAt); err == nil && !bytes.Equal(data, good) {
			t.Errorf("%q verifies", data)
		}
	})
}

// FuzzProof checks that a valid proof is about the entry that was proved.
func FuzzProof(f *testing.F) {
	s := snapshot(5)
	good, key := proved(f, s, 2)
	f.Add(good)
	f.Add(bytes.ReplaceAll(good, []byte(","), []byte(" ,\n")))
	f.Fuzz(func(t *testing.T, data []byte) {
		proven, err := key.CheckProof(data, signedAt)
		if err != nil {
			return
		}
		if proven.Unsigned == nil && !bytes.Equal(canonical(data), canonical(good)) || proven.Hash != Hash(s.Entries()[2]) {
			t.Errorf("%q holds", data)
		}
	})
}
