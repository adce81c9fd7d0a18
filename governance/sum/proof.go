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

// Proof shows that an entry is one of those in a signed catalog. Together with the
// entry and the public key, it says so without the catalog.
type Proof struct {
	Index int64            `json:"index"`           // of the entry's line in catalog.sum, from 0
	Path  tlog.RecordProof `json:"path"`            // the audit path of RFC 6962: hashes, from the leaf to the root
	Scope *catalog.Scope   `json:"scope,omitempty"` // for which files an agent's rule counts, for it is no field of the entry
	Note  string           `json:"note"`            // the content of catalog.sum.note
}

// Prove returns the proof of an entry. The error says that the entry is not in the
// sum as it is, or that the note is not of this sum.
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

// Proven is an entry that a proof holds for.
type Proven struct {
	ID       catalog.ID          `json:"id"`
	Hash     catalog.Fingerprint `json:"hash"`
	SignedBy string              `json:"signedBy"` // the key, NAME+HASH
	SignedAt catalog.Timestamp   `json:"signedAt"`
	// Unsigned are the members of the item that no signature covers, such as updatedAt.
	Unsigned []string `json:"unsigned,omitempty"`
}

// document is what a proof is checked in.
type document struct {
	Item  json.RawMessage `json:"item"`
	Proof *Proof          `json:"proof"`
}

// Document returns the entry and its proof as one JSON object, {"item", "proof"}, of
// which the signature covers all: the item has no times and no counts of use. It fails
// where the entry has members that can be read in two ways, for which
// [PublicKey.CheckProof] would not hold.
func Document(e *catalog.Entry, p *Proof) ([]byte, error) {
	item := e.Project(slices.DeleteFunc(slices.Clone(catalog.Fields()), func(f catalog.Field) bool {
		return slices.Contains(ungoverned, string(f))
	}))
	text, err := jsonscan.Encode(document{item, p})
	if err == nil {
		err = (*jsontext.Value)(&text).Format() // the escapes of its extensions
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be proved: its extensions or its change log can be read in two ways, with a member twice or broken characters", e.ID)
	}
	return text, nil
}

// answer is a document as instructions/get answers it.
type answer struct {
	Hash     string `json:"hash,omitempty"`
	Revision string `json:"revision,omitempty"`
	document
}

// unsigned names the members that no signature covers.
func (a answer) unsigned() (names []string) {
	if a.Hash != "" {
		names = append(names, "hash of the catalog")
	}
	if a.Revision != "" {
		names = append(names, "revision of the catalog")
	}
	return names
}

// CheckProof checks a document as [Document] makes it, or an answer of instructions/get
// with or without its JSON-RPC envelope, which has more fields of the entry. Any bit that is not as it was is an error. How the
// JSON is laid out does not matter.
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

// lineOf returns the line of an item in a sum, and the names of its members that the
// line does not cover.
func lineOf(item json.RawMessage, scope *catalog.Scope) (l Line, unsigned []string, err error) {
	f := membersOf(item)
	var i catalog.Instruction
	if err := json.Unmarshal(item, &i); err != nil {
		return l, nil, errors.New("it is no entry: a field has a value of the wrong type")
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
		return l, nil, errors.New("it has a scope, which belongs into the proof")
	}
	if scope != nil {
		f[scopeField] = jsonscan.MustEncode(scope)
	}
	if !i.ID.Valid() {
		return l, nil, errors.New("it has no id")
	}
	return Line{string(i.ID), f.hash()}, unsigned, nil
}

// derived are the fields that follow from others.
var derived = []string{"sourceHash", "riskScore"}

// checkDerived checks that those which are there do follow from the others.
func (f fields) checkDerived(i catalog.Instruction) error {
	right := catalog.NewEntry(i, catalog.Origin{})
	for _, name := range derived {
		if have, ok := f[name]; ok && !bytes.Equal(have, right.Field(catalog.Field(name))) {
			return fmt.Errorf("its %s does not follow from its other fields", name)
		}
	}
	return nil
}

// parseAnswer parses an answer that has one meaning and no second way to spell it, but
// for the layout.
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
		return a, errors.New("item and proof are not spelt as `catalog prove` does, or there is more beside them")
	}
	return a, nil
}

// resultOf returns the result of a JSON-RPC response, and other data as it is.
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
