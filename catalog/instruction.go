package catalog

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// Limits and defaults of an instruction's fields. Lengths are in Unicode code points.
const (
	MaxTitle        = 200
	MaxBody         = 1_000_000
	MaxCategories   = 25
	HighestPriority = 1
	LowestPriority  = 100
	DefaultPriority = 50
)

// Instruction has the fields and names of the contract's InstructionEntry, in the order
// in which they are served. A field with omitempty or omitzero is absent from an answer
// if the file does not have it.
type Instruction struct {
	ID        ID     `json:"id"`
	Title     string `json:"title"`
	Body      string `json:"body"` // byte for byte as in the file
	Rationale string `json:"rationale,omitempty"`
	Priority  int    `json:"priority"` // 1 (highest) to 100

	Audience        Audience    `json:"audience"`
	Requirement     Requirement `json:"requirement"`
	Categories      []string    `json:"categories"` // lower case, sorted, unique
	PrimaryCategory string      `json:"primaryCategory,omitempty"`

	SourceHash    Fingerprint `json:"sourceHash"` // always computed, never the one in the file
	SchemaVersion string      `json:"schemaVersion"`
	DeprecatedBy  string      `json:"deprecatedBy,omitempty"`
	CreatedAt     Timestamp   `json:"createdAt"`
	UpdatedAt     Timestamp   `json:"updatedAt"`
	UsageCount    int64       `json:"usageCount,omitempty"` // as the file records it
	LastUsedAt    Timestamp   `json:"lastUsedAt,omitempty"` // as the file records it
	RiskScore     int         `json:"riskScore"`            // always computed

	Owner              string          `json:"owner,omitempty"`
	Status             Status          `json:"status,omitempty"`
	PriorityTier       PriorityTier    `json:"priorityTier,omitempty"`
	Classification     Classification  `json:"classification,omitempty"`
	Version            string          `json:"version,omitempty"`
	SemanticSummary    string          `json:"semanticSummary,omitempty"`
	ContentType        string          `json:"contentType,omitempty"`
	Supersedes         string          `json:"supersedes,omitempty"`
	LastReviewedAt     Timestamp       `json:"lastReviewedAt,omitempty"`
	NextReviewDue      Timestamp       `json:"nextReviewDue,omitempty"`
	ReviewIntervalDays *int            `json:"reviewIntervalDays,omitempty"`
	ApprovedHash       string          `json:"approvedHash,omitempty"` // the hash of the approved entry; see package sum
	ApprovedBy         string          `json:"approvedBy,omitempty"`
	ApprovedAt         Timestamp       `json:"approvedAt,omitempty"`
	TeamIDs            []string        `json:"teamIds,omitzero"`
	WorkspaceID        string          `json:"workspaceId,omitempty"`
	UserID             string          `json:"userId,omitempty"`
	ChangeLog          json.RawMessage `json:"changeLog,omitempty"`  // an array, unchanged from the file
	Extensions         json.RawMessage `json:"extensions,omitempty"` // an object; also holds members unknown to the contract
	Load               LoadMode        `json:"load,omitempty"`
	AppliesTo          []string        `json:"appliesTo,omitempty"` // globs, split as the entry's agent splits them
}

// riskScore returns the risk score that the contract defines, from priority and
// requirement. The higher the score, the more important it is that the entry is correct.
func (i *Instruction) riskScore() int {
	return LowestPriority - i.Priority + i.Requirement.riskWeight()
}

// Field is the name of a member of an instruction's JSON, such as "title".
type Field string

// Fields returns the names of all fields, in the order in which they are
// served. The slice must not be changed.
var Fields = sync.OnceValue(func() []Field {
	var names []Field
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Instruction]()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		names = append(names, Field(name))
	}
	return names
})
