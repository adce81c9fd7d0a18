package agents

// How much agents read, and where they cut. The sources are with the rules that
// tell of it.
const (
	DevinCharacters         = 12_000 // of a rule
	CopilotReviewCharacters = 4_000  // of each file, in a code review
	CodexBytes              = 32_768 // of all AGENTS.md from the top of the repository down to a folder
	ClaudeImportHops        = 4
	GeminiImportHops        = 5
	MaxSkillName            = 64   // characters
	MaxSkillDescription     = 1024 // characters
)

// The rules by which [Place.Read] tells what an agent does not load as it is meant.
const (
	ApplyToList       = "apply-to/list"
	FileMisplaced     = "file/misplaced"
	SizeCopilotReview = "size/copilot-review"
	SizeDevin         = "size/devin"
	SkillName         = "skill/name"
)
