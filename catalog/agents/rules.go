package agents

// The rules by which [Place.Read] tells what an agent does not load as it is meant.
const (
	ApplyToList       = "apply-to/list"
	FileMisplaced     = "file/misplaced"
	SizeCopilotReview = "size/copilot-review"
	SizeDevin         = "size/devin"
	SkillName         = "skill/name"
)
