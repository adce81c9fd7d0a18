package agents

// The rules by which [Place.Read] tells what an agent does not load as it is meant.
const (
	ApplyToList       = "apply-to/list"
	BrokenYAML        = "file/syntax"
	FileMisplaced     = "file/misplaced"
	GlobInvalid       = "glob/invalid"
	GlobQuoted        = "glob/quoted"
	LoadField         = "load/field"
	PersonaField      = "persona/field"
	SizeCopilotReview = "size/copilot-review"
	SizeDevin         = "size/devin"
	SkillDescription  = "skill/description"
	SkillName         = "skill/name"
)
