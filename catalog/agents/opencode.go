package agents

var openCode = Agent{
	Name: "opencode", Title: "OpenCode",
	Paths: []Path{{Pattern: "{,**/}AGENTS.md"}, {Pattern: "{,**/}CLAUDE.md", Unless: []string{"AGENTS.md"}}},
	Facts: []Fact{{"files and their order, of 1.x", "anomalyco/opencode packages/opencode/src/session/instruction.ts @00b964b", "2026-11-21"}},
	rows:  []Row{{Pattern: "opencode.{json,jsonc}", Kind: OpenCodeConfig, Readers: "OpenCode"}},
	forms: []form{{kind: OpenCodeConfig, loaded: "settings, not an entry", read: func(r *reader) { r.Load = Config }}},
}
