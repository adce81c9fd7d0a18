package sum

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"

	"instruction-catalog/catalog"
)

var signedAt = time.Date(2026, 11, 22, 12, 0, 0, 123, time.UTC)

func keys(t testing.TB, name string) (SignerKey, PublicKey) {
	t.Helper()
	secret, public, err := GenerateKeys(name)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ParseSignerKey(secret + "\n")
	if err != nil {
		t.Fatal(err)
	}
	key, err := ParsePublicKey(" " + public + "\r\n")
	if err != nil {
		t.Fatal(err)
	}
	return signer, key
}

func TestSignature(t *testing.T) {
	t.Parallel()
	signer, key := keys(t, "team")
	for entries := range 6 {
		s := Of(snapshot(entries), nil)
		signature, _, err := signer.Sign(s, signedAt)
		if err != nil {
			t.Fatal(err)
		}
		head, err := key.Verify(signature, s, signedAt)
		if err != nil || head.Size != int64(entries) || !head.Time.Equal(signedAt.Truncate(time.Second)) {
			t.Errorf("%d entries: %v, %v", entries, head, err)
		}
	}
}

// TestHead fixes the signed text exactly, because other programs compute it, too. The root
// is that of RFC 6962 over the lines, each without its newline.
func TestHead(t *testing.T) {
	t.Parallel()
	hash := func(text string) string {
		digest := sha256.Sum256([]byte(text))
		return string(digest[:])
	}
	a, b, c := hash("\x00a 1"), hash("\x00b 2"), hash("\x00gates.json 3")
	for root, s := range map[string]Sum{
		hash(""):                            nil,
		a:                                   {{"a", "1"}},
		hash("\x01" + a + b):                {{"a", "1"}, {"b", "2"}},
		hash("\x01" + hash("\x01"+a+b) + c): {{"a", "1"}, {"b", "2"}, {"gates.json", "3"}},
	} {
		want := fmt.Sprintf("instruction-catalog catalog.sum v1\n%d\n%s\n2026-11-22T12:00:00Z\n", len(s), base64.StdEncoding.EncodeToString([]byte(root)))
		head, err := headOf(s, signedAt)
		if err != nil || head.String() != want {
			t.Errorf("got %s, want %s (%v)", head, want, err)
		}
	}
}

func TestRefusedSignatures(t *testing.T) {
	t.Parallel()
	signer, key := keys(t, "team")
	other, otherKey := keys(t, "team")
	s := Of(snapshot(3), nil)
	good, _, err := signer.Sign(s, signedAt)
	if err != nil {
		t.Fatal(err)
	}
	sign := func(by SignerKey, text string) []byte {
		signed, err := note.Sign(&note.Note{Text: text}, by.signer)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	text := strings.SplitAfter(string(good), "Z\n")[0]
	byOther, _, _ := other.Sign(s, signedAt)
	ofOther, _, _ := signer.Sign(Of(snapshot(2), nil), signedAt)
	signature := func(note []byte) []byte { return note[bytes.LastIndex(note, []byte("\n—"))+1:] }
	for name, test := range map[string]struct {
		note []byte
		want string
	}{
		"another key":         {byOther, "it is signed by another key, " + otherKey.String() + ", and not by " + key.String()},
		"another sum":         {ofOther, "it is the signature of another catalog.sum"},
		"the future":          {sign(signer, strings.Replace(text, "12:00:00", "12:00:01", 1)), "it was signed in the future, at 2026-11-22T12:00:01Z"},
		"another purpose":     {sign(signer, strings.Replace(text, "v1", "v2", 1)), "it is not the signature of a catalog"},
		"one more line":       {sign(signer, text+"more\n"), "the signed text is not a size, a root and a time"},
		"no time":             {sign(signer, strings.Replace(text, "2026-11-22T12:00:00Z\n", "", 1)), "the signed text is not"},
		"another zone":        {sign(signer, strings.Replace(text, "12:00:00Z", "13:00:00+01:00", 1)), "the signed text is not"},
		"a size with a zero":  {sign(signer, strings.Replace(text, "\n3\n", "\n03\n", 1)), "the signed text is not"},
		"padding of the root": {sign(signer, strings.Replace(text, "=\n", "\n", 1)), "the signed text is not"},
		"a changed text":      {bytes.Replace(good, []byte("\n3\n"), []byte("\n4\n"), 1), "its signature by " + key.String() + " does not match its text"},
		"two signatures":      {append(bytes.Clone(good), signature(byOther)...), "it is not one text with one signature"},
		"one signature twice": {append(bytes.Clone(good), signature(good)...), "it is not one text with one signature"},
		"nothing":             {nil, "it is not a signed note"},
		"no note":             {[]byte("hello\n"), "it is not a signed note"},
		"a blank at its end":  {append(bytes.Clone(good), '\n'), "it is not a signed note"},
	} {
		_, err := key.Verify(test.note, s, signedAt)
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", name, err, test.want)
		}
	}
}

// TestEveryBitOfANoteCounts checks that a change of any bit of a note is an error,
// including the padding bits of base64.
func TestEveryBitOfANoteCounts(t *testing.T) {
	t.Parallel()
	signer, key := keys(t, "team")
	s := Of(snapshot(3), nil)
	good, _, err := signer.Sign(s, signedAt)
	if err != nil {
		t.Fatal(err)
	}
	for at := range 8 * len(good) {
		flipped := bytes.Clone(good)
		flipped[at/8] ^= 1 << (at % 8)
		if _, err := key.Verify(flipped, s, signedAt); err == nil {
			t.Errorf("bit %d of byte %d (%q) does not count", at%8, at/8, good[at/8])
		}
	}
}

// TestPublicKey checks that Public returns the public key that was generated with the
// signer key.
func TestPublicKey(t *testing.T) {
	t.Parallel()
	secret, public, err := GenerateKeys("team")
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ParseSignerKey(secret)
	if err != nil || signer.Public() != public {
		t.Errorf("got %s, want %s (%v)", signer.Public(), public, err)
	}
}

func TestRefusedKeys(t *testing.T) {
	t.Parallel()
	secret, public, err := GenerateKeys("team")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", " ", "x", public[:len(public)-4], public + "A", "\n", public + "\n" + public, strings.Replace(public, "team", "Team", 1), secret} {
		if _, err := ParsePublicKey(text); err == nil {
			t.Errorf("%q is taken for a public key", text)
		}
	}
	for _, text := range []string{"", public, secret[:len(secret)-4], secret + "\n" + secret} {
		if _, err := ParseSignerKey(text); err == nil {
			t.Errorf("%q is taken for a signer key", text)
		}
	}
	if _, err := ParsePublicKey(secret); err == nil || strings.Contains(err.Error(), secret) {
		t.Errorf("a signer key for a public one: %v", err)
	}
	for _, name := range []string{"", "a b", "a+b", "a\nb", "a\x1bb", "\xff"} {
		if _, _, err := GenerateKeys(name); err == nil {
			t.Errorf("%q is taken for the name of a key", name)
		}
	}
}

// TestSigned checks that the error names whatever differs from the signed state.
func TestSigned(t *testing.T) {
	t.Parallel()
	signer, key := keys(t, "team")
	_, other := keys(t, "team")
	s := Of(snapshot(3), nil)
	signature, _, err := signer.Sign(s, signedAt)
	if err != nil {
		t.Fatal(err)
	}
	if err := key.Signed(s, s.Bytes(), signature, signedAt); err != nil {
		t.Error(err)
	}
	for name, test := range map[string]struct {
		key       PublicKey
		now       Sum
		sum, note []byte
		want      string
	}{
		"no sum":      {key, s, nil, signature, "there is no catalog.sum:"},
		"no note":     {key, s, s.Bytes(), nil, "there is no catalog.sum.note:"},
		"a cut sum":   {key, s, s.Bytes()[:99], signature, "catalog.sum:2: the line is cut off"},
		"added":       {key, Of(snapshot(4), nil), s.Bytes(), signature, "e03 was added since catalog.sum was written (1 in all)"},
		"removed":     {key, Of(snapshot(1), nil), s.Bytes(), signature, "e01 was removed since"},
		"gates":       {key, Of(snapshot(3), map[string][]byte{catalog.GatesFile: []byte("{}")}), s.Bytes(), signature, "gates.json was added since"},
		"locked anew": {key, Of(snapshot(4), nil), Of(snapshot(4), nil).Bytes(), signature, "catalog.sum.note: it is the signature of another"},
		"other key":   {other, s, s.Bytes(), signature, "catalog.sum.note: it is signed by another key"},
	} {
		if err := test.key.Signed(test.now, test.sum, test.note, signedAt); err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", name, err, test.want)
		}
	}
}
