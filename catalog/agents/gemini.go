package agents

// GeminiImportHops is the maximum depth of imports that Gemini CLI follows.
const GeminiImportHops = 5

var gemini = Agent{
	Name: "gemini", Title: "Gemini CLI",
	Paths: []Path{{Pattern: "{,**/}GEMINI.md"}, {Pattern: "{.gemini,.agents}/skills/**"}, {Pattern: ".gemini/commands/**/*.toml"}},
	Target: &Target{
		Name: "gemini", Shared: "GEMINI.md", Nested: true, Skills: ".gemini/skills", ByAgent: ByLine,
		kinds: []Kind{Gemini, GeminiCommand}, skills: []string{".gemini"},
	},
	Facts: []Fact{{"files, order, imports", "google-gemini/gemini-cli docs/cli/gemini-md.md, packages/core/src/utils/memoryDiscovery.ts", "2026-08-21"}},
	rows: []Row{
		{Pattern: "GEMINI.md", Kind: Gemini, Readers: "Gemini CLI and others", scope: below},
		{Pattern: ".gemini/commands/**/*.toml", Kind: GeminiCommand, Readers: "Gemini CLI"},
	},
	forms: []form{
		{kind: Gemini, imports: ImportedFile},
		{kind: GeminiCommand, reads: []string{"description"}, loaded: "`command`; `prompt` is the body", read: (*reader).command},
	},
}
