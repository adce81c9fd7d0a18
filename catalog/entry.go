package catalog

import "strconv"

// The bounds of an entry's fields. Lengths are in Unicode code points.
const (
	MaxTitle        = 200
	MaxBody         = 1_000_000
	MaxCategories   = 25
	HighestPriority = 1
	LowestPriority  = 100
	DefaultPriority = 50
)

// Entry is one instruction, with the fields and names of the contract's
// InstructionEntry. It is served once a [Sealer] has sealed it. Fields that
// end in omitempty or omitzero are absent from an answer where the file does not
// have them.
type Entry struct {
	ID        ID     `json:"id"`
	Title     string `json:"title"`
	Body      Body   `json:"body"` // byte for byte as it stands in the file
	Rationale string `json:"rationale,omitempty"`
	Priority  int    `json:"priority"` // 1 (highest) to 100

	Audience        Audience    `json:"audience"`
	Requirement     Requirement `json:"requirement"`
	Categories      []string    `json:"categories"` // lower case, sorted, unique
	PrimaryCategory string      `json:"primaryCategory,omitempty"`

	SourceHash    Fingerprint `json:"sourceHash"` // always computed, never the recorded one
	SchemaVersion string      `json:"schemaVersion"`
	DeprecatedBy  string      `json:"deprecatedBy,omitempty"`
	CreatedAt     Timestamp   `json:"createdAt"`
	UpdatedAt     Timestamp   `json:"updatedAt"`
	UsageCount    int64       `json:"usageCount,omitempty"` // as the file records it
	LastUsedAt    Timestamp   `json:"lastUsedAt,omitempty"` // as the file records it
	encoded       []byte      // see [Entry.Encoded]; here, beside what an answer reads with it
	RiskScore     int         `json:"riskScore"` // always computed

	Owner    string `json:"owner,omitempty"`
	Status   Status `json:"status,omitempty"`
	*Details        // never nil in an entry that is sealed

	Origin Origin `json:"-"`
}

// Origin is where an entry came from and what its file says that the contract
// does not serve.
type Origin struct {
	Path         string // within the catalog, with slashes; of a bundle its name
	Line         int    // in a bundle, from 1; 0 for an entry with a file of its own
	SpelledID    string // the id as the file writes it
	RecordedHash string // the sourceHash that the file records, "" if none
}

// String returns the path, and the line where there is one: path:line.
func (o Origin) String() string {
	if o.Line == 0 {
		return o.Path
	}
	return o.Path + ":" + strconv.Itoa(o.Line)
}

// riskScore derives the risk metric of the contract from priority and
// requirement: the higher, the more it matters that the entry is right.
func (e *Entry) riskScore() int {
	return LowestPriority - e.Priority + e.Requirement.riskWeight()
}
