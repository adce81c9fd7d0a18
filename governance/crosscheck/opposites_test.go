package crosscheck_test

import (
	"strings"
	"testing"

	"instruction-catalog/catalog"
)

// TestOpposites checks that contradictions are found in different wordings.
func TestOpposites(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"Use tabs for indentation.", "- Indent with spaces"},
		{"Always indent with tabs.", "Code must be indented with 4 spaces."},
		{"- Indentation: 2 spaces", "Use 4 spaces for indentation"},
		{"Use 2-space indentation.", "Use 4 spaces per indentation level."},
		{"Prefer single quotes.", "- Use double quotes for strings"},
		{"- Quotes: single", "Strings must use double quotes."},
		{"Always use semicolons.", "Omit semicolons."},
		{"End statements with semicolons.", "- No semicolons"},
		{"Use pnpm.", "Use `npm` to install dependencies."},
		{"Always use pnpm, never npm.", "Package manager: yarn"},
		{"This project uses bun as the package manager.", "Never use npm, always use pnpm."},
		{"Use uv for dependency management.", "Manage Python dependencies with poetry."},
		{"Write unit tests with Jest.", "Use Vitest for testing"},
		{"Use pytest.", "- Write tests with unittest"},
		{"Always use default exports.", "Never use default exports."},
		{"Prefer named exports.", "Use default exports"},
		{"Use default exports.", "Avoid default exports."},
		{"Line length: 80", "Keep lines under 120 characters."},
		{"Lines must not exceed 88 characters.", "Limit lines to 100 chars"},
		{"- Max line length: 100 characters", "Wrap lines at 80 columns."},
		{"Use Node 18.", "Node.js version: 20"},
		{"Requires Node >= 18", "Use Node 20+"},
		{"Use Python 3.11.", "Target Python 3.12"},
		{"Maintain test coverage above 80%.", "Coverage must be at least 90 %."},
		{"The default branch is `main`.", "Branch off master."},
		{"Use camelCase for variables.", "Variables must be snake_case."},
		{"Name functions in snake_case", "Use camelCase for function names"},
		{"Use camelCase for functions and PascalCase for classes.", "- Use snake_case for functions"},
		{"Use camelCase for functions, variables and methods.", "Use snake_case for variables/functions"},
		{"Use single quotes to improve readability.", "Use double quotes for consistency."},
		{"Prefer interfaces over types.", "Prefer types over interfaces."},
		{"Use composition instead of inheritance.", "Prefer inheritance over composition."},
		{"Format code with Prettier.", "Use Biome for formatting."},
		{"Lint with ruff.", "Use flake8 for linting"},
		{"Use British English.", "- Spelling: American"},
		{"Keep functions under 20 lines.", "Functions must not exceed 50 lines."},
		{"Max line length of 80.", "Lines should be at most 120 characters long."},
		{"The project requires Node.js 18 or higher.", "Node 20 or later is required."},
		{"All code must have 100% test coverage.", "Keep test coverage above 80%."},
		{"Create feature branches from main.", "Open pull requests against develop."},
		{"File names: kebab-case", "Name files in PascalCase."},
		{"Use four spaces for indentation.", "Indent using two spaces."},
		{"- Single quotes for strings", "- Double quotes for strings"},
		{"Semicolons are required.", "Write code without semicolons."},
		{"Use pip to install packages.", "Install packages using uv."},
		{"Use Prettier.", "Use Biome."},
		{"Use Tailwind CSS for styling.", "Use CSS modules for styling."},
		{"Use axios for HTTP requests.", "Use fetch for HTTP requests."},
		{"Commit messages must be in English.", "Commit messages must be in German."},
		{"Set the request timeout to 30 seconds.", "Set the request timeout to 60 seconds."},
		{"Always commit generated files.", "Never commit generated files."},
		{"You must squash commits before merging.", "Do not squash commits before merging."},
		{"# Style\n\nUse tabs.", "## Formatting\n\nAlways:\n\n- use spaces"},
		{"## Python\n\n- Use 4 spaces", "### Python style\n\nUse 2 spaces for indentation."},
		{"Python: use single quotes", "## Python\n\nUse double quotes."},
	} {
		got := strings.Join(find(entry("a", pair[0]), entry("b", pair[1])), "; ")
		if !strings.HasPrefix(got, "contradiction dir/b.md:") || strings.Contains(got, ";") {
			t.Errorf("%q, %q: %q", pair[0], pair[1], got)
		}
		for i, text := range pair {
			other := entry("b", pair[1-i])
			for _, said := range []string{
				"```\n" + text + "\n```", "> " + text, "## Examples\n\n" + text, "Bad:\n\n" + text, "<example>\n" + text + "\n</example>", "❌ " + text,
			} {
				if got := find(entry("a", said), other); got != nil && !strings.HasPrefix(text, "#") {
					t.Errorf("%q, %q: %q", said, pair[1-i], got)
				}
			}
		}
	}
}

// TestNoOpposites checks that nothing is reported for clauses that can both hold or
// that ask for nothing.
func TestNoOpposites(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"Use tabs.", "Use spaces in YAML."},
		{"Use tabs in Makefiles.", "Use spaces."},
		{"## Go\n\nUse tabs.", "## Python\n\nUse spaces."},
		{"## Go\n\nUse tabs.", "Use spaces."},
		{"Go: use tabs", "Python: use spaces"},
		{"Use tabs.", "Use spaces around operators."},
		{"Use tabs.", "If the file has spaces, use spaces."},
		{"Use tabs.", "Should I use spaces?"},
		{"Use tabs.", "# Use spaces"},
		{"Use tabs.", "| Use spaces | always |"},
		{"Use tabs.", "You can use spaces."},
		{"Use tabs.", "Some editors use spaces for indentation."},
		{"Use tabs.", "Before, use spaces."},
		{"Use tabs.", "The answer was \"use spaces\"."},
		{"Use tabs.", "Write `use spaces`."},
		{"Use tabs.", "Use tabs, not spaces."},
		{"Never use spaces.", "Use tabs instead of spaces."},
		{"Never use tabs.", "Do not:\n\n- use tabs"},
		{"Use tabs.", "Do not:\n\n- use tabs at the end of lines"},
		{"Use tabs.", "Never do this:\n\n- Use spaces"},
		{"Use tabs.", "Common mistakes:\n\n1. Use spaces"},
		{"Use pnpm.", "Use npm packages."},
		{"Use pnpm.", "Use npm or pnpm."},
		{"Use pnpm.", "Publish to npm."},
		{"Use pnpm.", "Run `npm publish`."},
		{"Use pnpm.", "Use npm when you publish."},
		{"Use pnpm for the frontend.", "Use npm for the docs."},
		{"Use pnpm.", "Migrate from npm to pnpm."},
		{"Use pnpm.", "Use uv."},
		{"Use ruff for linting.", "Format code with black."},
		{"Use Jest for unit tests.", "Use Playwright for end-to-end tests."},
		{"Use camelCase for variables.", "Use PascalCase for components."},
		{"Use camelCase for variables and PascalCase for classes.", "Use snake_case for files."},
		{"Use camelCase for variables, PascalCase for classes.", "Use snake_case for files and camelCase for functions."},
		{"Use CamelCase for classes.", "Use PascalCase for classes."},
		{"Keep lines under 80 characters.", "Keep subject lines under 50 characters."},
		{"Keep functions under 20 lines.", "Keep files under 300 lines."},
		{"Use Node 20.", "Use Node 20.11."},
		{"Use Node 20.", "Requires Node 18 or later."},
		{"Use Python 3.12.", "Use Node 20."},
		{"Wait 5 seconds.", "Wait 10 seconds."},
		{"Use single quotes.", "Use double quotes in JSX."},
		{"Branch off main.", "Never commit to main."},
		{"The default branch is main.", "Deploy from master."},
		{"Maintain coverage above 80%.", "Coverage of new code must be 90%."},
		{"Cannot interrupt a paragraph.", "Can interrupt a paragraph."},
		{"The agent:\n\n- reads", "The agent MUST NOT:\n\n- write"},
		{"## What you do\n\nRead it.", "## What you do not do\n\nWrite it."},
		{"**Not recommended**:\n\n- x", "DON'T (Not Recommended)"},
		{"Use `will-change: transform`.", "Never use `will-change: all`."},
		{"Commit generated files.", "Never commit secrets."},
		{"Prefer interfaces over types.", "Prefer interfaces over classes."},
		{"Use Prettier.", "Use ESLint."},
		{"Use Biome for linting.", "Use Prettier for formatting."},
		{"Set the request timeout to 30 seconds.", "Set the build timeout to 60 seconds."},
		{"Retry failed requests 3 times.", "Fail after 5 times."},
		{"Do step 3 of the release in 5 minutes.", "Do step 4 of the release in 5 minutes."},
		{"Write comments in English.", "Write the user guide in German."},
		{"Use fetch for streams.", "Use axios for HTTP requests."},
		{"Use two spaces for indentation in YAML.", "Use four spaces for indentation."},
		{"Use default exports.", "Avoid default exports in libraries."},
	} {
		for i := range pair {
			if got := find(entry("a", pair[i]), entry("b", pair[1-i])); got != nil {
				t.Errorf("%q, %q: %q", pair[i], pair[1-i], got)
			}
		}
	}
}

// TestOppositesAndScopes checks that entries contradict each other only if they can be
// loaded together and neither replaces the other.
func TestOppositesAndScopes(t *testing.T) {
	t.Parallel()
	const tabs, spaces = "Use tabs.", "Use spaces."
	glob := func(name, body string, globs ...string) *catalog.Entry {
		i := catalog.Instruction{ID: catalog.ID(strings.ReplaceAll(name, "/", ".")), Title: "T", Body: body, Priority: 1, Audience: catalog.Everybody, Load: catalog.LoadGlob}
		return catalog.NewEntry(i, catalog.Origin{Path: name, BodyLine: 1, Format: "cursor", Scope: &catalog.Scope{Globs: globs}})
	}
	folder := func(name, body string) *catalog.Entry { return file(name, "agents", catalog.LoadDirectory, body) }
	for name, tt := range map[string]struct {
		a, b *catalog.Entry
		want bool
	}{
		"two agents":                   {always("CLAUDE.md", "claude", tabs), always("AGENTS.md", "agents", spaces), true},
		"a rule and the file of all":   {always(".cursor/rules/style.mdc", "cursor", tabs), always("AGENTS.md", "agents", spaces), true},
		"globs that can both match":    {glob(".cursor/rules/a.mdc", tabs, "src/**/*.{ts,tsx}"), glob(".cursor/rules/b.mdc", spaces, "**/*.ts"), true},
		"globs of other languages":     {glob(".cursor/rules/a.mdc", tabs, "**/*.go"), glob(".cursor/rules/b.mdc", spaces, "**/*.py"), false},
		"globs of other folders":       {glob(".cursor/rules/a.mdc", tabs, "src/**"), glob(".cursor/rules/b.mdc", spaces, "docs/**"), false},
		"a glob and all files":         {glob(".cursor/rules/a.mdc", tabs, "**/*.x"), always("AGENTS.md", "agents", spaces), true},
		"files for two languages":      {always(".cursor/rules/go.mdc", "cursor", tabs), always(".cursor/rules/python.mdc", "cursor", spaces), false},
		"two skills":                   {skill(".claude/skills/a", tabs), skill(".claude/skills/b", spaces), false},
		"a skill and the file of all":  {skill(".claude/skills/a", tabs), always("AGENTS.md", "agents", spaces), false},
		"two personas":                 {file(".claude/agents/a.md", "claude-agent", catalog.LoadPersona, tabs), file(".claude/agents/b.md", "claude-agent", catalog.LoadPersona, spaces), false},
		"a folder further down":        {always("AGENTS.md", "agents", tabs), folder("web/AGENTS.md", spaces), false},
		"two folders":                  {folder("api/AGENTS.md", tabs), folder("web/AGENTS.md", spaces), false},
		"one folder":                   {folder("api/AGENTS.md", tabs), file("api/CLAUDE.md", "claude", catalog.LoadDirectory, spaces), true},
		"a collection of rules":        {always("rules/a.mdc", "cursor", tabs), always("rules/b.mdc", "cursor", spaces), false},
		"two entries of the catalog":   {entry("a", tabs), entry("b", spaces), true},
		"other categories":             {entry("a", tabs, category("go")), entry("b", spaces, category("python")), false},
		"one takes the other's place":  {entry("a", tabs), entry("b", spaces, supersedes("a")), false},
		"a package manager everywhere": {always(".cursor/rules/typescript.mdc", "cursor", "Use pnpm."), always("AGENTS.md", "agents", "Use npm."), true},
	} {
		found := findings(tt.a, tt.b)
		if got := len(found) == 1 && found[0].Rule == "contradiction"; got != tt.want {
			t.Errorf("%s: %v", name, found)
		}
	}
}

func TestContradictionQuotesBoth(t *testing.T) {
	t.Parallel()
	found := findings(always("AGENTS.md", "agents", "Intro.\n\n- Package manager: pnpm\n"), always("CLAUDE.md", "claude", "Always use npm."))
	const want = `"Always use npm." contradicts "Package manager: pnpm" in AGENTS.md:3: say which of the two applies`
	if len(found) != 1 || found[0].Message != want || found[0].Severity != "warning" {
		t.Errorf("%v", found)
	}
}
