package catalog

import "slices"

// Requirement says how strictly an entry must be followed.
type Requirement string

// The requirements, strictest first.
const (
	Critical    Requirement = "critical"
	Mandatory   Requirement = "mandatory"
	Recommended Requirement = "recommended"
	Optional    Requirement = "optional"
	Deprecated  Requirement = "deprecated"
)

// Requirements returns every requirement, strictest first.
func Requirements() []Requirement {
	return []Requirement{Critical, Mandatory, Recommended, Optional, Deprecated}
}

// Valid reports whether r is one of [Requirements].
func (r Requirement) Valid() bool { return slices.Contains(Requirements(), r) }

// riskWeight returns the number that the requirement adds to the risk score.
func (r Requirement) riskWeight() int {
	switch r {
	case Critical:
		return 60
	case Mandatory:
		return 50
	case Recommended:
		return 20
	case Optional:
		return 5
	case Deprecated:
		return -30
	}
	return 0
}

// LoadMode is the condition under which an agent loads an entry by itself.
type LoadMode string

// The load modes of an entry.
const (
	LoadAlways    LoadMode = "always"    // with every request
	LoadGlob      LoadMode = "glob"      // with a file that one of its globs matches
	LoadDirectory LoadMode = "directory" // with a file below its folder
	LoadAgent     LoadMode = "agent"     // when the model finds the description relevant
	LoadManual    LoadMode = "manual"    // when the user names it
	LoadSkill     LoadMode = "skill"     // when the model chooses the skill
	LoadCommand   LoadMode = "command"   // when the user runs the command
	LoadPersona   LoadMode = "persona"   // when the agent that it defines runs
)

// LoadModes returns every load mode.
func LoadModes() []LoadMode {
	return []LoadMode{LoadAlways, LoadGlob, LoadDirectory, LoadAgent, LoadManual, LoadSkill, LoadCommand, LoadPersona}
}

// Valid reports whether l is one of [LoadModes].
func (l LoadMode) Valid() bool { return slices.Contains(LoadModes(), l) }

// Audience is the intended audience of an entry.
type Audience string

// The audiences.
const (
	Individual Audience = "individual"
	Group      Audience = "group"
	Everybody  Audience = "all"
)

// Valid reports whether a is one of the audiences.
func (a Audience) Valid() bool { return a == Individual || a == Group || a == Everybody }

// Status is the review state of an entry.
type Status string

// The statuses.
const (
	StatusDraft      Status = "draft"
	StatusReview     Status = "review"
	StatusApproved   Status = "approved"
	StatusDeprecated Status = "deprecated"
)

// Valid reports whether s is one of the statuses.
func (s Status) Valid() bool {
	return slices.Contains([]Status{StatusDraft, StatusReview, StatusApproved, StatusDeprecated}, s)
}

// PriorityTier is a coarse priority, P1 (highest) to P4.
type PriorityTier string

// Valid reports whether t is P1, P2, P3 or P4.
func (t PriorityTier) Valid() bool {
	return slices.Contains([]PriorityTier{"P1", "P2", "P3", "P4"}, t)
}

// Classification says who may see an entry. The catalog records it but does not enforce
// it.
type Classification string

// The classifications.
const (
	Public     Classification = "public"
	Internal   Classification = "internal"
	Restricted Classification = "restricted"
)

// Valid reports whether c is one of the classifications.
func (c Classification) Valid() bool { return c == Public || c == Internal || c == Restricted }
