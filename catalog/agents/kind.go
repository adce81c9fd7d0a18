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
	KiroPower           Kind = "kiro-power"
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
	ByModel   Load = "agent"     // when the model takes its description to fit
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

// form says how files of a kind are read.
type form struct {
	kind Kind
	// loaded says when they are loaded, in a sentence; "" for always.
	loaded string
	// reads are the fields of front matter by which the agent tells what the file is about
	// and when to load it.
	reads []string
	// byLine says that front matter is read line by line, so that a glob needs no quotes, or
	// must not have them.
	byLine bool
	// read sets the load; nil for always.
	read func(*reader)
	// size tells of a body that the agent does not read to the end; nil if there is no limit.
	size func(r *reader, body string)
	// imports is the kind of the files that one imports with @; "" for no imports.
	imports Kind
}

// rows are tried in this order; the first that matches counts.
var rows = func() (found []Row) {
	for _, a := range all {
		found = append(found, a.rows...)
	}
	return found
}()

// forms are those of all kinds.
var forms = func() map[Kind]form {
	found := map[Kind]form{}
	for _, a := range all {
		for _, f := range a.forms {
			found[f.kind] = f
		}
	}
	return found
}()

// Loaded says when files of the row are loaded, in a sentence.
func (r Row) Loaded() string {
	if r.never != "" {
		return "`never`: " + r.never
	}
	loaded := forms[r.Kind].loaded
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
