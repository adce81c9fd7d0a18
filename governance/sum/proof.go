package sum

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/mod/sumdb/tlog"

	"instruction-catalog/catalog"
	"instruction-catalog/schemas/jsonscan"
)

// Proof shows that an entry is in a signed catalog. Checking it needs the entry and the
// public key, but not the catalog.
type Proof struct {
	Index int64            `json:"index"`           // index of the entry's line in catalog.sum, from 0
	Path  tlog.RecordProof `json:"path"`            // the audit path of RFC 6962: hashes, from the leaf to the root
	Scope *catalog.Scope   `json:"scope,omitempty"` // the files that an agent's rule applies to; part of the proof because entries have no such field
	Note  string           `json:"note"`            // the content of catalog.sum.note
}

// Prove returns the proof of an entry. It returns an error if the sum does not contain the
// entry in its current state, or if the signature is not of this sum.
func (s Sum) Prove(e *catalog.Entry, signature []byte) (*Proof, error) {
	at, ok := s.find(string(e.ID))
	if !ok || s[at].Hash != Hash(e) {
		return nil, fmt.Errorf("%s has changed since %s was written: review it, then run `catalog lock` and `catalog sign`", e.ID, catalog.SumFile)
	}
	t, err := treeOf(s)
	if err != nil {
		return nil, err
	}
	if err := t.isOf(signature); err != nil {
		return nil, fmt.Errorf("%s: %w", catalog.NoteFile, err)
	}
	path, err := tlog.ProveRecord(t.size, int64(at), t)
	return &Proof{Index: int64(at), Path: path, Scope: e.Origin.Scope, Note: string(signature)}, err
}

// Proven is an entry whose proof has been checked.
type Proven struct {
	ID       catalog.ID          `json:"id"`
	Hash     catalog.Fingerprint `json:"hash"`
	SignedBy string              `json:"signedBy"` // the name of the key, NAME+HASH
	SignedAt catalog.Timestamp   `json:"signedAt"`
	// Unsigned lists the members of the document that the signature does not cover, such as
	// updatedAt.
	Unsigned []string `json:"unsigned,omitempty"`
}

// document is an entry with its proof.
type document struct {
	Item  json.RawMessage `json:"item"`
	Proof *Proof          `json:"proof"`
}

// Document returns the entry and its proof as one JSON object, {"item", "proof"}. The
// signature covers the whole object, because the item leaves out the fields that [Hash]
// does not cover. It returns an error if the entry has ambiguous JSON, for which
// [PublicKey.CheckProof] would fail.
func Document(e *catalog.Entry, p *Proof) ([]byte, error) {
	item := e.Project(slices.DeleteFunc(slices.Clone(catalog.Fields()), func(f catalog.Field) bool {
		return slices.Contains(ungoverned, string(f))
	}))
	text, err := jsonscan.Encode(document{item, p})
	if err == nil {
		err = (*jsontext.Value)(&text).Format() // normalises the escapes of its extensions
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be proved: its extensions or its change log are ambiguous, with a member twice or broken characters", e.ID)
	}
	return text, nil
}

// answer is a document in the form that instructions/get returns.
type answer struct {
	Hash     string `json:"hash,omitempty"`
	Revision string `json:"revision,omitempty"`
	document
}

// unsigned returns the names of the members that the signature does not cover.
func (a answer) unsigned() (names []string) {
	if a.Hash != "" {
		names = append(names, "hash of the catalog")
	}
	if a.Revision != "" {
		names = append(names, "revision of the catalog")
	}
	return names
}

// CheckProof checks a document from [Document], or an answer of instructions/get, which has
// more fields of the entry, with or without its JSON-RPC envelope. Any change of a signed
// value is an error; the layout of the JSON does not matter. The result lists the members
// that the signature does not cover.
func (k PublicKey) CheckProof(data []byte, now time.Time) (Proven, error) {
	a, err := parseAnswer(data)
	if err != nil {
		return Proven{}, err
	}
	item, proof := a.Item, a.Proof
	head, err := k.open([]byte(proof.Note), now)
	if err != nil {
		return Proven{}, fmt.Errorf("the note: %w", err)
	}
	line, unsigned, err := lineOf(item, proof.Scope)
	if err != nil {
		return Proven{}, fmt.Errorf("the item: %w", err)
	}
	if tlog.CheckRecord(proof.Path, head.Size, head.Root, proof.Index, leaf(line)) != nil {
		return Proven{}, fmt.Errorf("the item is not the entry %.120q that was signed, or the proof is not its proof", line.Name)
	}
	unsigned = append(unsigned, a.unsigned()...)
	return Proven{catalog.ID(line.Name), line.Hash, k.String(), catalog.NewTimestamp(head.Time), unsigned}, nil
}

// lineOf returns the line of a sum for an item, and the names of the item's members that
// the line does not cover.
func lineOf(item json.RawMessage, scope *catalog.Scope) (l Line, unsigned []string, err error) {
	f := membersOf(item)
	var i catalog.Instruction
	if err := json.Unmarshal(item, &i); err != nil {
		return l, nil, errors.New("it is not an entry: a field has a value of the wrong type")
	}
	if err := f.checkDerived(i); err != nil {
		return l, nil, err
	}
	for _, name := range ungoverned {
		if _, ok := f[name]; ok && !slices.Contains(derived, name) {
			unsigned = append(unsigned, name)
		}
	}
	f.remove(ungoverned)
	if _, ok := f[scopeField]; ok {
		return l, nil, errors.New("it has a scope, which belongs in the proof")
	}
	if scope != nil {
		f[scopeField] = jsonscan.MustEncode(scope)
	}
	if !i.ID.Valid() {
		return l, nil, errors.New("it has no id")
	}
	return Line{string(i.ID), f.hash()}, unsigned, nil
}

// derived are the fields that are computed from others.
var derived = []string{"sourceHash", "riskScore"}

// checkDerived checks that each derived field that is present follows from the other
// fields.
func (f fields) checkDerived(i catalog.Instruction) error {
	right := catalog.NewEntry(i, catalog.Origin{})
	for _, name := range derived {
		if have, ok := f[name]; ok && !bytes.Equal(have, right.Field(catalog.Field(name))) {
			return fmt.Errorf("its %s does not follow from its other fields", name)
		}
	}
	return nil
}

// parseAnswer parses an answer. It rejects JSON that is ambiguous or, apart from its
// layout, not in the canonical spelling.
func parseAnswer(data []byte) (a answer, err error) {
	if err := checkSpelling(data); err != nil {
		return a, err
	}
	data = resultOf(data)
	if err := json.Unmarshal(data, &a); err != nil {
		return a, errors.New("it is not an object with item and proof, as `catalog prove` prints it")
	}
	if a.Proof == nil || a.Proof.Path == nil || a.Item == nil {
		return a, errors.New("it has no item, no proof, or a proof without a path: give an object as `catalog prove` prints it")
	}
	again, err := jsonscan.Encode(a)
	if err != nil || !bytes.Equal(canonical(again), canonical(data)) {
		return a, errors.New("item and proof are not written as `catalog prove` writes them, or there are other members")
	}
	return a, nil
}

// resultOf returns the result of a JSON-RPC response. It returns any other data unchanged.
func resultOf(data []byte) []byte {
	result, isResponse := data, false
	for m := range jsonscan.Members(data) {
		switch string(m.Name) {
		case "jsonrpc":
			isResponse = true
		case "result":
			result = m.Value
		}
	}
	if isResponse {
		return result
	}
	return data
}
