package agents

// The ids of the rules for the warnings in a [Reading].
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
