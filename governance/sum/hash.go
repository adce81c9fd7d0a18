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

// ungoverned lists the fields that a hash does not cover: derived fields, times, which may
// come from the file system, and usage counts.
var ungoverned = []string{"sourceHash", "riskScore", "createdAt", "updatedAt", "usageCount", "lastUsedAt"}

// approval lists the fields that record an approval of the other fields.
var approval = []string{"approvedHash", "approvedBy", "approvedAt"}

// Hash returns the SHA-256 of a canonical form of all fields of an entry as they are
// served, including unknown fields in its extensions, and including the scope of an agent's
// file. It does not cover the derived fields sourceHash and riskScore, nor createdAt,
// updatedAt, usageCount and lastUsedAt. The name and the time of the file and the layout of
// its JSON do not affect the hash.
func Hash(e *catalog.Entry) catalog.Fingerprint { return fieldsOf(e).hash() }

// ApprovalHash is [Hash] without approvedHash, approvedBy and approvedAt. It is the hash
// that an approval records.
func ApprovalHash(e *catalog.Entry) catalog.Fingerprint {
	f := fieldsOf(e)
	f.remove(approval)
	return f.hash()
}

// Approval is the state of an entry's approval.
type Approval string

// The states of an approval.
const (
	Approved      Approval = "current" // approvedHash equals [ApprovalHash] of the entry
	StaleApproval Approval = "stale"   // the entry has changed since its approval, or approvedHash was never correct
	NoApproval    Approval = "none"    // the entry has no approvedHash
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

// FileHash returns the hash of the content of a JSON file. It does not depend on the
// layout.
func FileHash(data []byte) catalog.Fingerprint {
	return fingerprint(canonical(files.TrimByteOrderMark(data)))
}

// fields maps the names of the members of an entry's JSON to their values.
type fields map[string][]byte

// fieldsOf returns the fields of an entry that a hash covers. The values alias memory of
// the entry.
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

// scopeField is the member name used for the scope, which is not among the fields that an
// entry is served with.
const scopeField = "scope"

func (f fields) remove(names []string) {
	for _, name := range names {
		delete(f, name)
	}
}

// hash returns the hash of a JSON object with the fields sorted by name, each in canonical
// form.
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

// canonical returns JSON without white space, with the members of objects sorted by name
// and strings in their shortest form. Numbers stay as they are written: reading them as
// floating point, as RFC 8785 does, would make different large numbers equal. If the JSON
// is ambiguous (with duplicate names or invalid UTF-8), canonical only removes the white
// space. It returns invalid JSON unchanged. In both cases, no other form is certain to mean
// the same.
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
