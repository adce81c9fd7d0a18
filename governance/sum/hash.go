package sum

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/schemas/jsonscan"
)

// ungoverned are the fields that a hash does not cover: what follows from others,
// the times, which may be those of the file, and the counts of use.
var ungoverned = []string{"sourceHash", "riskScore", "createdAt", "updatedAt", "usageCount", "lastUsedAt"}

// approval are the fields that say who approved the others.
var approval = []string{"approvedHash", "approvedBy", "approvedAt"}

// Hash returns the hash of an entry: the SHA-256 of a canonical form of all its
// fields as they are served, unknown ones in its extensions and the scope of an
// agent's file included. Not covered are sourceHash and riskScore, which follow from
// the others, createdAt, updatedAt, usageCount and lastUsedAt. The name and the time
// of the file, and how its JSON is laid out, do not matter.
func Hash(e *catalog.Entry) catalog.Fingerprint { return fieldsOf(e).hash() }

// ApprovalHash is [Hash] without approvedHash, approvedBy and approvedAt: what an
// approval is of.
func ApprovalHash(e *catalog.Entry) catalog.Fingerprint {
	f := fieldsOf(e)
	f.remove(approval)
	return f.hash()
}

// Approval says whether an entry is as it was approved.
type Approval string

// The approvals of an entry.
const (
	Approved      Approval = "current" // approvedHash is that of the entry
	StaleApproval Approval = "stale"   // the entry was changed since, or approvedHash was made up
	NoApproval    Approval = "none"    // there is no approvedHash
)

// ApprovalOf returns the approval of an entry.
func ApprovalOf(e *catalog.Entry) Approval {
	switch e.Instruction().ApprovedHash {
	case "":
		return NoApproval
	case string(ApprovalHash(e)):
		return Approved
	}
	return StaleApproval
}

// FileHash returns the hash of the content of a JSON file. Its layout does not matter.
func FileHash(data []byte) catalog.Fingerprint {
	return fingerprint(canonical(files.TrimByteOrderMark(data)))
}

// fields are the members of an entry's JSON that a hash covers, by their names.
type fields map[string][]byte

// fieldsOf returns the fields of an entry. They share its memory.
func fieldsOf(e *catalog.Entry) fields {
	f := membersOf(e.Encoded())
	f.remove(ungoverned)
	if scope := e.Origin.Scope; scope != nil {
		f[scopeField] = jsonscan.MustEncode(scope)
	}
	return f
}

func membersOf(object []byte) fields {
	f := fields{}
	for m := range jsonscan.Members(object) {
		f[string(m.Name)] = m.Value
	}
	return f
}

// scopeField is the member that stands for the scope, which an entry is not served
// with.
const scopeField = "scope"

func (f fields) remove(names []string) {
	for _, name := range names {
		delete(f, name)
	}
}

// hash is that of the object which has the fields in the order of their names, each in
// its canonical form.
func (f fields) hash() catalog.Fingerprint {
	text := []byte{'{'}
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(text, jsonscan.MustEncode(name)...), ':')
		text = append(text, canonical(f[name])...)
	}
	return fingerprint(append(text, '}'))
}

// canonical returns JSON without blanks, with the members of objects in the order of
// their names and strings in their shortest form. Numbers stay as they are written: to
// read them as floating point, as RFC 8785 does, would take two large ones for the
// same. What is ambiguous, with a member twice or broken characters, only loses its
// blanks, and what is no JSON stays as it is: they have no other form that certainly
// means the same.
func canonical(value []byte) []byte {
	v := jsontext.Value(slices.Clone(value))
	if v.Format(jsontext.ReorderRawObjects(true)) != nil && v.Compact() != nil {
		return value
	}
	return v
}

func fingerprint(text []byte) catalog.Fingerprint {
	digest := sha256.Sum256(text)
	return catalog.Fingerprint(hex.EncodeToString(digest[:]))
}
