package agents

// zedFiles lists the files that Zed looks for. Zed reads only the first that exists.
var zedFiles = []string{
	".rules", ".cursorrules", ".windsurfrules", ".clinerules", ".github/copilot-instructions.md",
	"AGENT.md", "AGENTS.md", "CLAUDE.md", "GEMINI.md",
}

var zed = Agent{
	Name: "zed", Title: "Zed",
	Paths: zedPaths(),
	Facts: []Fact{{"the list of files", "zed-industries/zed docs/src/ai/instructions.md @324dcf3", "2026-11-21"}},
	rows:  []Row{{Pattern: ".rules", Kind: Zed, Readers: "Zed", scope: below}},
	forms: []form{{kind: Zed}},
}

func zedPaths() []Path {
	paths := make([]Path, len(zedFiles))
	for i, f := range zedFiles {
		paths[i] = Path{Pattern: f, Unless: zedFiles[:i]}
	}
	return paths
}
