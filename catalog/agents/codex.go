package agents

// CodexBytes is the maximum total size, in bytes, of the AGENTS.md files that Codex
// reads from the top of the repository down to a folder.
const CodexBytes = 32_768

var codex = Agent{
	Name: "codex", Title: "Codex",
	Paths:  []Path{{Pattern: "{,**/}AGENTS{,.override}.md"}, {Pattern: "{.agents,.codex}/skills/**"}},
	Limits: []Limit{{Pattern: "{,**/}AGENTS{,.override}.md", Max: CodexBytes, Bytes: true, Together: true, Cut: "it cuts the file that crosses it, and drops those below"}},
	Facts:  []Fact{{"files, order and project_doc_max_bytes", "openai/codex codex-rs/core/src/agents_md.rs @0cf644a", "2026-11-21"}},
}
