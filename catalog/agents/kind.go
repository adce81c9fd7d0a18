package agents

// Kind names what sort of agent's file a file is.
type Kind string

// The kinds. Those with a suffix belong to the agent before it.
const (
	Agents              Kind = "agents"
	AgentsOverride      Kind = "agents-override"
	Claude              Kind = "claude"
	ClaudeLocal         Kind = "claude-local"
	ClaudeRule          Kind = "claude-rule"
	ClaudeAgent         Kind = "claude-agent"
	ClaudeCommand       Kind = "claude-command"
	Skill               Kind = "skill"
	SkillResource       Kind = "skill-resource"
	Copilot             Kind = "copilot"
	CopilotInstructions Kind = "copilot-instructions"
	CopilotPrompt       Kind = "copilot-prompt"
	CopilotAgent        Kind = "copilot-agent"
	Cursor              Kind = "cursor"
	CursorRules         Kind = "cursorrules"
	Gemini              Kind = "gemini"
	GeminiCommand       Kind = "gemini-command"
	Devin               Kind = "devin"
	Cline               Kind = "cline"
	ClineWorkflow       Kind = "cline-workflow"
	Kiro                Kind = "kiro"
	Junie               Kind = "junie"
	Zed                 Kind = "zed"
	Amp                 Kind = "amp"
	OpenCodeConfig      Kind = "opencode-config"
	ImportedFile        Kind = "import" // by a CLAUDE.md or GEMINI.md
)

// Load says when an agent loads a file.
type Load string

// The loads of a file that is an instruction.
const (
	Always    Load = "always"    // with every request
	Glob      Load = "glob"      // with a file that one of its globs matches
	Directory Load = "directory" // with a file below its folder
	Agent     Load = "agent"     // when the model takes its description to fit
	Manual    Load = "manual"    // when a person names it
	OnSkill   Load = "skill"     // when the model chooses the skill
	Command   Load = "command"   // when a person gives the command
	Persona   Load = "persona"   // when the agent of that name works
)

// The loads of a file that is not an instruction by itself.
const (
	OnDemand Load = "on-demand" // part of a skill, which says when to read it
	Config   Load = "config"    // settings of an agent
	Never    Load = "never"     // its agent passes over it
)

// IsInstruction reports whether a file that is loaded so is an instruction.
func (l Load) IsInstruction() bool {
	switch l {
	case OnDemand, Config, Never, "":
		return false
	}
	return true
}

// Row is a line of the table of kinds.
type Row struct {
	Pattern string // of the path, from the dot folder on, else of the base name
	Kind    Kind
	Readers string // the agents that read it
	never   string // why its agent passes over it, "" where it does not
	aside   bool   // and it is not meant to be an instruction
	home    string // the folder where its agent looks, if that is elsewhere
	scope   scope
}

// scope says what the folder of a file means for where it counts.
type scope uint8

const (
	everywhere scope = iota // nothing
	below                   // it counts below that folder, loaded there
)

const (
	byCursor   = "Cursor"
	byClaude   = "Claude Code"
	byCopilot  = "GitHub Copilot"
	byDevin    = "Devin Desktop (Windsurf)"
	byCline    = "Cline"
	bySkills   = "Claude Code, VS Code, Gemini CLI and others"
	noSubpages = "Kiro reads no subfolders of .kiro/steering: move it up"
)

// rows are tried in this order; the first that matches counts.
var rows = []Row{
	{Pattern: "AGENTS.md", Kind: Agents, Readers: "most agents", scope: below},
	{Pattern: ".claude/AGENTS.md", Kind: Agents, Readers: byClaude, scope: below},
	{Pattern: ".junie/AGENTS.md", Kind: Agents, Readers: "Junie", scope: below},
	{Pattern: "AGENT.md", Kind: Agents, Readers: "Amp, Devin CLI, Zed", scope: below},
	{Pattern: "AGENTS.override.md", Kind: AgentsOverride, Readers: "Codex", scope: below},

	{Pattern: "{,.claude/}CLAUDE.md", Kind: Claude, Readers: byClaude + " and others", scope: below},
	{Pattern: "CLAUDE.local.md", Kind: ClaudeLocal, Readers: byClaude, scope: below},
	{Pattern: ".claude/rules/**/*.md", Kind: ClaudeRule, Readers: byClaude + ", GitHub Copilot in VS Code", scope: below},
	{Pattern: ".claude/agents/**/*.md", Kind: ClaudeAgent, Readers: byClaude},
	{Pattern: ".claude/commands/**/*.md", Kind: ClaudeCommand, Readers: byClaude},

	{Pattern: "{,.*/skills/**/}SKILL.md", Kind: Skill, Readers: bySkills},
	{Pattern: ".*/skills/*/**", Kind: SkillResource, Readers: bySkills},

	{Pattern: ".github/copilot-instructions.md", Kind: Copilot, Readers: byCopilot, scope: below},
	{Pattern: ".github/instructions/**/*.instructions.md", Kind: CopilotInstructions, Readers: byCopilot},
	{Pattern: "*.instructions.md", Kind: CopilotInstructions, Readers: byCopilot + ", once it is in .github/instructions", home: ".github/instructions"},
	{Pattern: "{,.github/prompts/**/}*.prompt.md", Kind: CopilotPrompt, Readers: byCopilot + " in VS Code"},
	{Pattern: "{,.github/agents/**/,.github/chatmodes/**/}*.{agent,chatmode}.md", Kind: CopilotAgent, Readers: byCopilot},
	{Pattern: ".github/agents/*.md", Kind: CopilotAgent, Readers: byCopilot},

	{Pattern: ".cursor/rules/**/*.mdc", Kind: Cursor, Readers: byCursor, scope: below},
	{Pattern: "*.mdc", Kind: Cursor, Readers: byCursor + ", once it is in .cursor/rules", home: ".cursor/rules"},
	{Pattern: ".cursor/rules/**/*.md", Kind: Cursor, Readers: byCursor, never: "Cursor reads only .mdc in .cursor/rules: rename it"},
	{Pattern: ".cursorrules", Kind: CursorRules, Readers: byCursor + ", Cline, Zed, Devin CLI", scope: below},

	{Pattern: "GEMINI.md", Kind: Gemini, Readers: "Gemini CLI and others", scope: below},
	{Pattern: ".gemini/commands/**/*.toml", Kind: GeminiCommand, Readers: "Gemini CLI"},

	{Pattern: "{.devin,.windsurf}/rules/*.md", Kind: Devin, Readers: byDevin, scope: below},
	{Pattern: ".windsurfrules", Kind: Devin, Readers: byDevin + ", Cline, Zed", scope: below},

	{Pattern: ".clinerules/workflows/**/*.md", Kind: ClineWorkflow, Readers: byCline},
	{Pattern: ".clinerules/{workflows,hooks,skills}/**", Kind: Cline, Readers: byCline, never: "Cline takes what lies in workflows, hooks and skills for no rule", aside: true},
	{Pattern: ".clinerules/**/*.{md,txt}", Kind: Cline, Readers: byCline, scope: below},
	{Pattern: ".clinerules", Kind: Cline, Readers: byCline + ", Zed", scope: below},

	{Pattern: ".kiro/steering/*.md", Kind: Kiro, Readers: "Kiro", scope: below},
	{Pattern: ".kiro/steering/**/*.md", Kind: Kiro, Readers: "Kiro", never: noSubpages},

	{Pattern: ".junie/{playbook,guidelines}.md", Kind: Junie, Readers: "Junie", scope: below},
	{Pattern: ".junie/{rules,guidelines}/**/*.md", Kind: Junie, Readers: "Junie", scope: below},
	{Pattern: ".rules", Kind: Zed, Readers: "Zed", scope: below},

	{Pattern: "opencode.{json,jsonc}", Kind: OpenCodeConfig, Readers: "OpenCode"},
}

// Loaded says when files of the row are loaded, in a sentence.
func (r Row) Loaded() string {
	if r.never != "" {
		return "`never`: " + r.never
	}
	loaded := map[Kind]string{
		ClaudeRule:          "`glob` by `paths`, a list or a text with commas; else `always`, also where the front matter is no YAML",
		ClaudeAgent:         "`persona`",
		ClaudeCommand:       "`command`",
		Skill:               "`skill`",
		SkillResource:       "part of its skill, no entry",
		CopilotInstructions: "`glob` by `applyTo`; else `manual`",
		CopilotPrompt:       "`command`",
		CopilotAgent:        "`persona`",
		Cursor:              "`always` by `alwaysApply: true`; `glob` by `globs`, without quotes; `agent` with a `description`; else `manual`",
		GeminiCommand:       "`command`; `prompt` is the body",
		ClineWorkflow:       "`command`",
		Devin:               "`trigger`: `always_on`, `glob` with `globs`, `model_decision` (`agent`), `manual`; else `always`",
		Cline:               "`glob` by `paths`, a list; `never` where that is empty; else `always`",
		Kiro:                "`inclusion`: `always`, `fileMatch` with `fileMatchPattern` (`glob`), `auto` (`agent`), `manual`; else `always`",
		OpenCodeConfig:      "settings, no entry",
	}[r.Kind]
	if loaded == "" {
		loaded = "`always`"
	}
	if r.scope == below {
		loaded += "; below the top, `directory` instead of `always`"
	}
	return loaded
}

// Kinds returns the table of kinds, in the order in which it is consulted.
func Kinds() []Row { return append([]Row(nil), rows...) }
