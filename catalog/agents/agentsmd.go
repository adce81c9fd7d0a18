package agents

// agentsMD is the convention of AGENTS.md, which most agents follow.
var agentsMD = Agent{
	Name: "agents", Title: "AGENTS.md",
	Paths: []Path{{Pattern: "{,**/}AGENTS.md"}},
	Target: &Target{
		Name: "agents", Shared: "AGENTS.md", Nested: true, Skills: ".agents/skills", ByAgent: ByLine,
		kinds: []Kind{Agents, AgentsOverride, Zed, Junie, Amp}, skills: []string{".agents", ".codex"},
	},
	Facts: []Fact{{"plain Markdown, no fields, no limit; the file nearest to the edited one wins", "agentsmd/agents.md components/FAQSection.tsx", "2026-03-12"}},
	rows: []Row{
		{Pattern: "AGENTS.md", Kind: Agents, Readers: "most agents", scope: below},
		{Pattern: ".claude/AGENTS.md", Kind: Agents, Readers: byClaude, scope: below},
		{Pattern: ".junie/AGENTS.md", Kind: Agents, Readers: "Junie", scope: below},
		{Pattern: "AGENT.md", Kind: Agents, Readers: "Amp, Devin CLI, Zed", scope: below},
		{Pattern: "AGENTS.override.md", Kind: AgentsOverride, Readers: "Codex", scope: below},
	},
	forms: []form{
		{kind: Agents, imports: Amp}, // Amp calls them mentions
		{kind: AgentsOverride},
	},
}
