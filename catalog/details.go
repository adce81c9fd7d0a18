package catalog

import (
	"encoding/json"
	"reflect"
)

// Details are the fields of an [Entry] that few entries have. Those without any
// share one that is empty, for in a million entries these fields take 240 MB.
type Details struct {
	PriorityTier       PriorityTier    `json:"priorityTier,omitempty"`
	Classification     Classification  `json:"classification,omitempty"`
	Version            string          `json:"version,omitempty"`
	SemanticSummary    string          `json:"semanticSummary,omitempty"`
	ContentType        string          `json:"contentType,omitempty"`
	Supersedes         string          `json:"supersedes,omitempty"`
	LastReviewedAt     Timestamp       `json:"lastReviewedAt,omitempty"`
	NextReviewDue      Timestamp       `json:"nextReviewDue,omitempty"`
	ReviewIntervalDays *int            `json:"reviewIntervalDays,omitempty"`
	TeamIDs            []string        `json:"teamIds,omitzero"`
	WorkspaceID        string          `json:"workspaceId,omitempty"`
	UserID             string          `json:"userId,omitempty"`
	ChangeLog          json.RawMessage `json:"changeLog,omitempty"`  // an array, as it stands in the file
	Extensions         json.RawMessage `json:"extensions,omitempty"` // an object; also holds members unknown to the contract
}

// noDetails is what entries share. Nobody writes to it.
var noDetails Details

// kept returns a copy that stays, or what is shared if there is nothing to keep.
func (d *Details) kept() *Details {
	if reflect.ValueOf(d).Elem().IsZero() {
		return &noDetails
	}
	own := *d
	return &own
}
