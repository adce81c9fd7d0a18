package agents

var junie = Agent{
	Name: "junie", Title: "Junie",
	Paths: []Path{
		{Pattern: ".junie/AGENTS.md"},
		{Pattern: "{AGENTS.md,.junie/playbook.md,.junie/rules/*.md}", Unless: []string{".junie/AGENTS.md"}},
		{Pattern: ".junie/guidelines{.md,/**/*.md}", Unless: []string{".junie/AGENTS.md", "AGENTS.md"}},
	},
	Facts: []Fact{{"files and their order", "dyoshikawa/rulesync#2728, #2742, #2744", "2026-08-21"}},
	rows: []Row{
		{Pattern: ".junie/{playbook,guidelines}.md", Kind: Junie, Readers: "Junie", scope: below},
		{Pattern: ".junie/{rules,guidelines}/**/*.md", Kind: Junie, Readers: "Junie", scope: below},
	},
	forms: []form{{kind: Junie}},
}
