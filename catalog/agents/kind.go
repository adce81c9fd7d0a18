package agents

// Kind is the kind of an agent's file.
type Kind string

// The kinds of agents' files. A kind with a suffix, such as ClaudeRule, belongs to the
// agent named before the suffix.
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
	ImportedFile        Kind = "import" // imported by a CLAUDE.md or GEMINI.md
)

// Load is the condition under which an agent loads a file.
type Load string

// The loads of files that are instructions.
const (
	Always    Load = "always"    // with every request
	Glob      Load = "glob"      // with a file that matches one of its globs
	Directory Load = "directory" // with a file below its folder
	ByModel   Load = "agent"     // when the model chooses it by its description
	Manual    Load = "manual"    // when a person names it
	OnSkill   Load = "skill"     // when the model chooses the skill
	Command   Load = "command"   // when a person runs the command
	Persona   Load = "persona"   // when the agent that it defines runs
)

// The loads of files that are not instructions by themselves.
const (
	OnDemand Load = "on-demand" // part of a skill, which says when to read it
	Config   Load = "config"    // settings of an agent
	Never    Load = "never"     // its agent does not load it
)

// IsInstruction reports whether a file with this load is an instruction.
func (l Load) IsInstruction() bool {
	switch l {
	case OnDemand, Config, Never, "":
		return false
	}
	return true
}

// Row is a row of the table of kinds.
type Row struct {
	Pattern string // matches the path from its first dot folder on, or the base name if there is none
	Kind    Kind
	Readers string // the agents that read it
	never   string // why its agent does not load it; "" if it does
	aside   bool   // it is not meant as an instruction; set only with never
	home    string // the folder where its agent looks instead; "" if its agent looks in this one
	scope   scope
}

// scope is the part of a repository in which a file applies.
type scope uint8

const (
	everywhere scope = iota // the whole repository
	below                   // the file's folder and everything below it
)

// form describes how the files of a kind are read.
type form struct {
	kind Kind
	// loaded describes in a sentence when the files are loaded; "" means always.
	loaded string
	// reads lists the fields of front matter that tell the agent what the file is about
	// and when to load it.
	reads []string
	// byLine reports whether front matter is read line by line. A glob then needs no
	// quotes, or must not have them.
	byLine bool
	// read sets the load. nil means [reader.always].
	read func(*reader)
	// size warns if the agent does not read the whole body. It is nil if there is no
	// limit.
	size func(r *reader, body string)
	// imports is the kind of the files that these files import with @; "" if they
	// import none.
	imports Kind
}

// rows lists the rows of all agents, in the order in which they are tried. The first
// row that matches counts.
var rows = func() (found []Row) {
	for _, a := range all {
		found = append(found, a.rows...)
	}
	return found
}()

// forms maps each kind to its form.
var forms = func() map[Kind]form {
	found := map[Kind]form{}
	for _, a := range all {
		for _, f := range a.forms {
			found[f.kind] = f
		}
	}
	return found
}()

// Loaded describes in a sentence when files of the row are loaded.
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

// Kinds returns a copy of the table of kinds, in the order in which its rows are tried.
func Kinds() []Row { return append([]Row(nil), rows...) }
