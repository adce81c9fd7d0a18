package sum

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"instruction-catalog/catalog"
)

// proved returns a document about the entry at index at, and the key to check it with.
func proved(t testing.TB, s *catalog.Snapshot, at int) ([]byte, PublicKey) {
	t.Helper()
	signer, key := keys(t, "team")
	lines := Of(s, map[string][]byte{catalog.GatesFile: []byte(`{"gates":[]}`)})
	signature, _, err := signer.Sign(lines, signedAt)
	if err != nil {
		t.Fatal(err)
	}
	proof, err := lines.Prove(s.Entries()[at], signature)
	if err != nil {
		t.Fatal(err)
	}
	text, err := Document(s.Entries()[at], proof)
	if err != nil {
		t.Fatal(err)
	}
	return text, key
}

// rich returns an entry with everything that JSON can spell in several ways: escapes,
// numbers, non-ASCII names and a scope.
func rich() *catalog.Entry {
	i := instruction()
	i.Body = "Tab\t, \x1b, \x7f, é, \u2028, 😀, \ufffd, \\u00AB and \"quotes\".\n"
	i.Extensions = json.RawMessage(`{"é":[1e5,-0.0,true,null,"\u001F"],"K":{"a":{},"b":[]}}`)
	return catalog.NewEntry(i, catalog.Origin{Scope: &catalog.Scope{Folder: "src", Globs: []string{"*.go"}}})
}

func TestProof(t *testing.T) {
	t.Parallel()
	for entries := 1; entries < 10; entries++ {
		s := snapshot(entries)
		for at, e := range s.Entries() {
			text, key := proved(t, s, at)
			proven, err := key.CheckProof(text, signedAt)
			if err != nil || proven.ID != e.ID || proven.Hash != Hash(e) || proven.SignedAt != "2026-11-22T12:00:00.000Z" || proven.Unsigned != nil {
				t.Errorf("%d of %d: %v, %v", at, entries, proven, err)
			}
		}
	}
}

// TestEveryBitOfAProofCounts checks that a change of any bit of a printed proof is an
// error.
func TestEveryBitOfAProofCounts(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("takes long, and has one goroutine")
	}
	entries := append(snapshot(4).Entries(), rich())
	s := catalog.NewSnapshot(entries, nil)
	for at := range s.Entries() {
		text, key := proved(t, s, at)
		text = append(text, '\n') // as it is printed
		if _, err := key.CheckProof(text, signedAt); err != nil {
			t.Fatal(err)
		}
		for bit := range 8 * len(text) {
			flipped := bytes.Clone(text)
			flipped[bit/8] ^= 1 << (bit % 8)
			if _, err := key.CheckProof(flipped, signedAt); err == nil {
				t.Errorf("bit %d of byte %d does not count: %q for %q", bit%8, bit/8, flipped[max(0, bit/8-20):bit/8+1], text[bit/8])
			}
		}
	}
}

func TestProofIsLaidOutAnyhow(t *testing.T) {
	t.Parallel()
	text, key := proved(t, catalog.NewSnapshot([]*catalog.Entry{rich()}, nil), 0)
	var laidOut bytes.Buffer
	if err := json.Indent(&laidOut, text, "", "\t"); err != nil {
		t.Fatal(err)
	}
	escaped := strings.ReplaceAll(string(text), "😀", `\ud83d\ude00`)
	for _, form := range []string{laidOut.String(), escaped, strings.ReplaceAll(laidOut.String(), "\n", "\r\n")} {
		if _, err := key.CheckProof([]byte(form), signedAt); err != nil {
			t.Errorf("%v: %s", err, form)
		}
	}
}

// TestNamesOfAProofHaveOneSpelling checks that a member name has one spelling, at every
// level.
func TestNamesOfAProofHaveOneSpelling(t *testing.T) {
	t.Parallel()
	text, key := proved(t, catalog.NewSnapshot([]*catalog.Entry{rich()}, nil), 0)
	for from, to := range map[string]string{
		`"body"`: `"bod\u0079"`, `"proof"`: `"\u0070roof"`, `"note"`: `"\u006eote"`, `"item"`: `"ite\u006d"`, `"extensions":{"`: `"extensions":{"\u002f`,
	} {
		respelt := strings.Replace(string(text), from, to, 1)
		if from == `"extensions":{"` { // its first member
			at := strings.Index(string(text), from) + len(from)
			respelt = string(text[:at]) + fmt.Sprintf(`\u%04x`, text[at]) + string(text[at+1:])
		}
		if respelt == string(text) {
			t.Fatalf("%s is not in %s", from, text)
		}
		if _, err := key.CheckProof([]byte(respelt), signedAt); err == nil {
			t.Errorf("with %s it holds: %s", to, respelt)
		}
	}
}

// TestProofOfAnAnswer checks the answer of a server, which has fields that no signature
// covers.
func TestProofOfAnAnswer(t *testing.T) {
	t.Parallel()
	s := snapshot(3)
	text, key := proved(t, s, 1)
	var d document
	if err := json.Unmarshal(text, &d); err != nil {
		t.Fatal(err)
	}
	check := func(item string) (Proven, error) {
		whole, err := json.Marshal(document{json.RawMessage(item), d.Proof})
		if err != nil {
			t.Fatal(err)
		}
		return key.CheckProof(whole, signedAt)
	}
	served := string(s.Entries()[1].Encoded())
	proven, err := check(served)
	if got := strings.Join(proven.Unsigned, " "); err != nil || got != "createdAt updatedAt" {
		t.Errorf("what is served: unsigned are %s, %v", got, err)
	}
	for from, to := range map[string]string{
		`"riskScore":130`: `"riskScore":131`,
		`"sourceHash":"`:  `"sourceHash":"0`,
		`"priority":20`:   `"priority":2`,
		`"id":"e01"`:      `"id":"e02"`,
		`"id":"e01",`:     ``,
		`"title":`:        `"Title":`,
		`"title":"`:       `"extra":1,"title":"`,
		`{"id"`:           `{"scope":{},"id"`,
		`"body":"`:        `"body":5,"bodies":"`,
	} {
		if !strings.Contains(served, from) {
			t.Fatalf("%s is not in %s", from, served)
		}
		if _, err := check(strings.Replace(served, from, to, 1)); err == nil {
			t.Errorf("with %s for %s it holds", to, from)
		}
	}
}

// TestPathOfAnOnlyEntry checks that the path for a catalog with one entry has no hashes,
// and one spelling.
func TestPathOfAnOnlyEntry(t *testing.T) {
	t.Parallel()
	signer, key := keys(t, "team")
	s := snapshot(1)
	signature, _, err := signer.Sign(Of(s, nil), signedAt)
	if err != nil {
		t.Fatal(err)
	}
	proof, err := Of(s, nil).Prove(s.Entries()[0], signature)
	if err != nil {
		t.Fatal(err)
	}
	text, err := Document(s.Entries()[0], proof)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := key.CheckProof(text, signedAt); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{`null`, `[""]`, `{}`} {
		changed := strings.Replace(string(text), `"path":[]`, `"path":`+other, 1)
		if _, err := key.CheckProof([]byte(changed), signedAt); err == nil || changed == string(text) {
			t.Errorf("with the path %s it holds: %s", other, changed)
		}
	}
}

func TestRefusedProofs(t *testing.T) {
	t.Parallel()
	s := snapshot(3)
	good, key := proved(t, s, 1)
	_, otherKey := keys(t, "team")
	if _, err := otherKey.CheckProof(good, signedAt); err == nil {
		t.Error("it holds with another key")
	}
	for from, to := range map[string]string{
		`{"item":`:    `{"more":1,"item":`,
		`"item":`:     `"Item":`,
		`"index":1`:   `"index":1.0`,
		`"index":1,`:  `"index":2,`,
		`"path":[`:    `"path":["AA==",`,
		`"proof":{`:   `"proof":{"more":1,`,
		`"proof":`:    `"proof":null,"more":`,
		`\n`:          `\u000A`,
		`"note":`:     `"note":"","note":`,
		`"title":`:    `"title":"","title":`,
		`{"id":"e01"`: `{"id":"e00"`,
	} {
		if _, err := key.CheckProof([]byte(strings.Replace(string(good), from, to, 1)), signedAt); err == nil {
			t.Errorf("with %s for %s it holds", to, from)
		}
	}
	for _, text := range []string{"", "{}", "null", "[]", `{"item":{},"proof":{}}`, string(good) + string(good), string(good[:len(good)-1])} {
		if _, err := key.CheckProof([]byte(text), signedAt); err == nil {
			t.Errorf("%s holds", text)
		}
	}
}

func TestWhatCannotBeProved(t *testing.T) {
	t.Parallel()
	signer, _ := keys(t, "team")
	s, edited := snapshot(3), snapshot(4)
	lines := Of(s, nil)
	signature, _, err := signer.Sign(lines, signedAt)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lines.Prove(edited.Entries()[3], signature); err == nil {
		t.Error("an entry is proved that is not in the sum")
	}
	if _, err := Of(edited, nil).Prove(edited.Entries()[3], signature); err == nil || !strings.Contains(err.Error(), "another catalog.sum") {
		t.Errorf("the note is of another sum: %v", err)
	}
	if _, err := lines.Prove(s.Entries()[0], []byte("no note")); err == nil {
		t.Error("what is no note proves")
	}
	i := instruction()
	i.Extensions = json.RawMessage(`{"a":1,"a":2}`)
	twice := catalog.NewSnapshot([]*catalog.Entry{entry(i)}, nil)
	signature, _, _ = signer.Sign(Of(twice, nil), signedAt)
	proof, err := Of(twice, nil).Prove(twice.Entries()[0], signature)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Document(twice.Entries()[0], proof); err == nil || !strings.Contains(err.Error(), "ambiguous") {
		t.Errorf("an extension has a member twice: %v", err)
	}
}
