package gates

import (
	"slices"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/sum"
)

// kind is the type of the values of a field. It determines the ops that the field accepts.
type kind uint8

const (
	text kind = iota
	word      // one of a fixed set of texts
	number
	instant // in seconds since 1970
	list    // list of texts
	opaque  // can only be tested for existence
)

// field is a field of an entry that a gate may refer to.
type field struct {
	name  string
	kind  kind
	words []string // the possible values, if kind is word
}

// The names of fields that are derived from others. Served entries do not contain them.
const (
	successor  = "successor"  // the state of the entry that deprecatedBy names
	bodyTokens = "bodyTokens" // the approximate number of tokens of the body for a model
	approval   = "approval"   // whether the entry is unchanged since its approval
)

// fields holds the fields of [catalog.Fields] and the derived ones, by name.
var fields = func() map[string]field {
	all := map[string]field{}
	for kind, names := range map[kind][]string{
		text: {"id", "title", "body", "rationale", "primaryCategory", "sourceHash", "schemaVersion", "deprecatedBy", "owner",
			"version", "semanticSummary", "contentType", "supersedes", "approvedHash", "approvedBy", "workspaceId", "userId"},
		number:  {"priority", "usageCount", "riskScore", "reviewIntervalDays", bodyTokens},
		instant: {"createdAt", "updatedAt", "lastUsedAt", "lastReviewedAt", "nextReviewDue", "approvedAt"},
		list:    {"categories", "teamIds", "appliesTo"},
		opaque:  {"changeLog", "extensions"},
	} {
		for _, name := range names {
			all[name] = field{name: name, kind: kind}
		}
	}
	for name, words := range map[string][]string{
		"requirement":    texts(catalog.Requirements()),
		"load":           texts(catalog.LoadModes()),
		"audience":       texts([]catalog.Audience{catalog.Individual, catalog.Group, catalog.Everybody}),
		"status":         texts([]catalog.Status{catalog.StatusDraft, catalog.StatusReview, catalog.StatusApproved, catalog.StatusDeprecated}),
		"classification": texts([]catalog.Classification{catalog.Public, catalog.Internal, catalog.Restricted}),
		"priorityTier":   {"P1", "P2", "P3", "P4"},
		successor:        {successorLiving, successorDead, successorNone},
		approval:         {string(sum.Approved), string(sum.StaleApproval), string(sum.NoApproval)},
	} {
		all[name] = field{name, word, words}
	}
	return all
}()

func texts[W ~string](words []W) []string {
	all := make([]string, len(words))
	for i, w := range words {
		all[i] = string(w)
	}
	return all
}

// ops lists the ops allowed in a condition on a field of each kind.
var ops = map[kind][]string{
	text:    {"eq", "ne", "in", "contains", "matches", "exists"},
	word:    {"eq", "ne", "in", "contains", "matches", "exists"},
	number:  {"eq", "ne", "lt", "le", "gt", "ge", "in", "exists"},
	instant: {"eq", "ne", "lt", "le", "gt", "ge", "olderThan", "exists"},
	list:    {"contains", "exists"},
	opaque:  {"exists"},
}

func (f field) takes(op string) bool { return slices.Contains(ops[f.kind], op) }
