package agents

import "slices"

// Agent is a coding agent: what it reads and loads, where it cuts, and how its files are
// written.
type Agent struct {
	Name  string // as commands have it, such as "claude-code"
	Title string // for people
	// Paths are the files of a repository that it reads.
	Paths  []Path
	Limits []Limit
	// Target says how its files are written; nil if it reads those of other targets only.
	Target *Target
	Facts  []Fact
	rows   []Row
	forms  []form
}

// Path is a pattern of paths that an agent reads, from the top of the repository.
type Path struct {
	Pattern string
	// Unless are files at the top of the repository. One that is there keeps the agent from
	// reading these.
	Unless []string
}

// Limit is how much an agent reads.
type Limit struct {
	Pattern string // of the files that it is for
	Max     int
	// Bytes says that Max counts bytes, else characters.
	Bytes bool
	// Together says that Max is for a file and those of the same name in the folders above it.
	Together bool
	// Cut says what happens beyond it.
	Cut string
}

// Fact is where something that the value of an agent says was found, and as of when.
type Fact struct{ About, Source, Date string }

// all are the agents, in the order in which their kinds of files are tried.
var all = []*Agent{
	&agentsMD, &claudeCode, &agentSkills, &copilot, &copilotCLI, &copilotReview, &cursor, &codex,
	&gemini, &devin, &cline, &kiro, &junie, &zed, &amp, &openCode,
}

// All returns the agents. The slice and the values must not be changed.
func All() []*Agent {
	return slices.DeleteFunc(slices.Clone(all), func(a *Agent) bool { return a == &agentSkills })
}

// Reads reports whether the agent reads a file of a repository, in which exists says
// what there is.
func (a *Agent) Reads(path string, exists func(path string) bool) bool {
	for _, p := range a.Paths {
		if matches(p.Pattern, path) {
			return !slices.ContainsFunc(p.Unless, exists)
		}
	}
	return false
}

// Covers reports whether the limit is for a file of that path.
func (l Limit) Covers(path string) bool { return matches(l.Pattern, path) }
