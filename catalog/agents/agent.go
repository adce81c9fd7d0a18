package agents

import "slices"

// Agent describes a coding agent: the files that it reads and loads, its limits, and
// how its files are written.
type Agent struct {
	Name  string // the name in commands, such as "claude-code"
	Title string // the display name
	// Paths lists the files of a repository that the agent reads.
	Paths  []Path
	Limits []Limit
	// Target describes how its files are written. It is nil if the agent only reads
	// files of other targets.
	Target *Target
	Facts  []Fact
	rows   []Row
	forms  []form
}

// Path is a pattern of paths that an agent reads, relative to the top of the
// repository.
type Path struct {
	Pattern string
	// Unless lists files at the top of the repository. If one of them exists, the agent
	// does not read the files that match Pattern.
	Unless []string
}

// Limit is the maximum size of what an agent reads.
type Limit struct {
	Pattern string // the files that it applies to
	Max     int
	// Bytes reports whether Max is in bytes. Otherwise it is in characters.
	Bytes bool
	// Together reports whether Max applies to the combined size of a file and the
	// matching files in the folders above it.
	Together bool
	// Cut describes what happens to text beyond Max.
	Cut string
}

// Fact records the source and date of a statement that an Agent makes.
type Fact struct{ About, Source, Date string }

// all lists the agents, in the order in which [At] tries their kinds of files.
var all = []*Agent{
	&agentsMD, &claudeCode, &agentSkills, &copilot, &copilotCLI, &copilotReview, &cursor, &codex,
	&gemini, &devin, &cline, &kiro, &junie, &zed, &amp, &openCode,
}

// All returns the agents. The caller must not change them.
func All() []*Agent {
	return slices.DeleteFunc(slices.Clone(all), func(a *Agent) bool { return a == &agentSkills })
}

// Reads reports whether the agent reads the file at path in a repository. exists
// reports whether the repository has a file at a path.
func (a *Agent) Reads(path string, exists func(path string) bool) bool {
	for _, p := range a.Paths {
		if matches(p.Pattern, path) {
			return !slices.ContainsFunc(p.Unless, exists)
		}
	}
	return false
}

// Covers reports whether the limit applies to the file at path.
func (l Limit) Covers(path string) bool { return matches(l.Pattern, path) }
