package hosts

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	decoder "github.com/pelletier/go-toml/v2"
)

// machine returns a machine with the given environment.
func machine(os string, variables ...string) Machine {
	return Machine{OS: os, Env: func(name string) string {
		for _, v := range variables {
			if value, found := strings.CutPrefix(v, name+"="); found {
				return value
			}
		}
		return ""
	}}
}

func TestUserFiles(t *testing.T) {
	t.Parallel()
	linux, mac := machine("linux", "HOME=/h/ada"), machine("darwin", "HOME=/h/ada", "XDG_CONFIG_HOME=/x")
	windows := machine("windows", `USERPROFILE=C:\ada`)
	roaming := machine("windows", `USERPROFILE=C:\ada`, `APPDATA=D:\roaming`, `LOCALAPPDATA=D:\local`)
	moved := machine("linux", "HOME=/h/ada", "XDG_CONFIG_HOME=/x", "CLAUDE_CONFIG_DIR=/c", "COPILOT_HOME=/p",
		"CODEX_HOME=/o", "GEMINI_CLI_HOME=/g")
	tests := []struct {
		host string
		on   Machine
		want string
	}{
		{"vscode", linux, "/h/ada/.config/Code/User/mcp.json"},
		{"vscode", mac, "/h/ada/Library/Application Support/Code/User/mcp.json"},
		{"vscode", windows, `C:\ada\AppData\Roaming\Code\User\mcp.json`},
		{"vscode", roaming, `D:\roaming\Code\User\mcp.json`},
		{"vscode", moved, "/x/Code/User/mcp.json"},
		{"claude-code", linux, "/h/ada/.claude.json"},
		{"claude-code", mac, "/h/ada/.claude.json"},
		{"claude-code", windows, `C:\ada\.claude.json`},
		{"claude-code", moved, "/c/.claude.json"},
		{"claude-desktop", linux, "/h/ada/.config/Claude/claude_desktop_config.json"},
		{"claude-desktop", mac, "/h/ada/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude-desktop", windows, `C:\ada\AppData\Roaming\Claude\claude_desktop_config.json ` +
			`C:\ada\AppData\Local\Packages\Claude_pzs8sxrjxfjjc\LocalCache\Roaming\Claude\claude_desktop_config.json`},
		{"claude-desktop", roaming, `D:\roaming\Claude\claude_desktop_config.json ` +
			`D:\local\Packages\Claude_pzs8sxrjxfjjc\LocalCache\Roaming\Claude\claude_desktop_config.json`},
		{"cursor", linux, "/h/ada/.cursor/mcp.json"},
		{"cursor", windows, `C:\ada\.cursor\mcp.json`},
		{"copilot-cli", linux, "/h/ada/.copilot/mcp-config.json"},
		{"copilot-cli", windows, `C:\ada\.copilot\mcp-config.json`},
		{"copilot-cli", moved, "/p/mcp-config.json"},
		{"zed", linux, "/h/ada/.config/zed/settings.json"},
		{"zed", mac, "/h/ada/.config/zed/settings.json"},
		{"zed", roaming, `D:\roaming\Zed\settings.json`},
		{"zed", moved, "/x/zed/settings.json"},
		{"antigravity", linux, "/h/ada/.gemini/config/mcp_config.json /h/ada/.gemini/antigravity/mcp_config.json"},
		{"antigravity", windows, `C:\ada\.gemini\config\mcp_config.json C:\ada\.gemini\antigravity\mcp_config.json`},
		{"cline", linux, "/h/ada/.cline/data/settings/cline_mcp_settings.json " +
			"/h/ada/.config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json"},
		{"cline", machine("linux", "HOME=/h/ada", "CLINE_MCP_SETTINGS_PATH=/c/mcp.json"), "/c/mcp.json"},
		{"roo", mac, "/h/ada/Library/Application Support/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json"},
		{"roo", roaming, `D:\roaming\Code\User\globalStorage\rooveterinaryinc.roo-cline\settings\mcp_settings.json`},
		{"windsurf", linux, "/h/ada/.codeium/windsurf/mcp_config.json"},
		{"windsurf", windows, `C:\ada\.codeium\windsurf\mcp_config.json`},
		{"junie", linux, "/h/ada/.junie/mcp/mcp.json"},
		{"codex", linux, "/h/ada/.codex/config.toml"},
		{"codex", windows, `C:\ada\.codex\config.toml`},
		{"codex", moved, "/o/config.toml"},
		{"gemini", mac, "/h/ada/.gemini/settings.json"},
		{"gemini", windows, `C:\ada\.gemini\settings.json`},
		{"gemini", moved, "/g/.gemini/settings.json"},
		{"opencode", linux, "/h/ada/.config/opencode/opencode.json /h/ada/.config/opencode/opencode.jsonc"},
		{"opencode", windows, `C:\ada\.config\opencode\opencode.json C:\ada\.config\opencode\opencode.jsonc`},
		{"opencode", moved, "/x/opencode/opencode.json /x/opencode/opencode.jsonc"},
		{"vscode", machine("linux", "HOME=/h/ada", "XDG_CONFIG_HOME=relative"), "/h/ada/.config/Code/User/mcp.json"},
	}
	for _, tt := range tests {
		files, err := host(t, tt.host).UserFiles(tt.on)
		if got := strings.Join(files, " "); got != tt.want || err != nil {
			t.Errorf("%s on %s: %s, %v, want %s", tt.host, tt.on.OS, got, err, tt.want)
		}
	}
	for os, variable := range map[string]string{"linux": "HOME", "darwin": "HOME", "windows": "USERPROFILE"} {
		if _, err := vscode.UserFiles(machine(os)); err == nil || !strings.HasSuffix(err.Error(), "set "+variable) {
			t.Errorf("without a home on %s: %v", os, err)
		}
	}
}

// A variable that names a folder suffices without a home folder.
func TestUserFilesWithoutHome(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"claude-code": "/f/.claude.json", "copilot-cli": "/f/mcp-config.json", "codex": "/f/config.toml",
		"gemini": "/f/.gemini/settings.json", "zed": "/f/zed/settings.json", "vscode": "/f/Code/User/mcp.json",
	} {
		files, err := host(t, name).UserFiles(machine("linux", "CLAUDE_CONFIG_DIR=/f", "COPILOT_HOME=/f", "CODEX_HOME=/f",
			"GEMINI_CLI_HOME=/f", "XDG_CONFIG_HOME=/f"))
		if got := strings.Join(files, " "); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", name, got, err, want)
		}
	}
	files, err := zed.UserFiles(machine("windows", `APPDATA=\\server\ada`))
	if got, want := strings.Join(files, " "), `\\server\ada\Zed\settings.json`; got != want || err != nil {
		t.Errorf("zed: %s, %v, want %s", got, err, want)
	}
}

// The files do not depend on the working directory.
func TestUserFilesAreAbsolute(t *testing.T) {
	t.Parallel()
	tests := []struct {
		host, on, variable, value string
	}{
		{"claude-code", "linux", "CLAUDE_CONFIG_DIR", "rel"},
		{"copilot-cli", "darwin", "COPILOT_HOME", "~/copilot"},
		{"codex", "linux", "CODEX_HOME", "./codex"},
		{"codex", "windows", "CODEX_HOME", `C:codex`},
		{"gemini", "linux", "GEMINI_CLI_HOME", "."},
		{"vscode", "windows", "APPDATA", `\roaming`},
		{"claude-desktop", "windows", "LOCALAPPDATA", "local"},
		{"cursor", "linux", "HOME", "ada"},
		{"cursor", "windows", "USERPROFILE", "/ada"},
	}
	for _, tt := range tests {
		// A variable that comes first wins.
		on := machine(tt.on, tt.variable+"="+tt.value, "HOME=/h/ada", `USERPROFILE=C:/ada`)
		files, err := host(t, tt.host).UserFiles(on)
		want := fmt.Sprintf("%s is %q, which is not an absolute path: set it to one, or unset it", tt.variable, tt.value)
		if err == nil || err.Error() != want || files != nil {
			t.Errorf("%s: %s, %v, want %s", tt.host, files, err, want)
		}
	}
}

func TestProjectFiles(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"vscode": ".vscode/mcp.json", "claude-code": ".mcp.json", "claude-desktop": "", "cursor": ".cursor/mcp.json",
		"copilot-cli": ".github/mcp.json", "zed": ".zed/settings.json", "codex": ".codex/config.toml",
		"gemini": ".gemini/settings.json", "opencode": "opencode.json opencode.jsonc",
	} {
		h := host(t, name)
		if got := strings.Join(h.ProjectFiles(machine("linux")), " "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
		want = strings.ReplaceAll(want, "/", `\`)
		if got := strings.Join(h.ProjectFiles(machine("windows")), " "); got != want {
			t.Errorf("%s on Windows: %s, want %s", name, got, want)
		}
	}
}

func host(t *testing.T, name string) Host {
	t.Helper()
	h, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestFindUnknown(t *testing.T) {
	t.Parallel()
	_, err := Find("emacs")
	const want = `unknown host "emacs": it is one of vscode, claude-code, claude-desktop, cursor, copilot-cli, zed, codex, gemini, opencode, antigravity, cline, roo, windsurf, junie, jetbrains`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestOurs(t *testing.T) {
	t.Parallel()
	tests := []struct {
		s    Server
		want bool
	}{
		{Server{Command: "catalog", Args: []string{"serve"}}, true},
		{Server{Command: "catalog", Args: []string{"serve", "--dir", "x"}}, true},
		{Server{Command: "/usr/local/bin/catalog", Args: []string{"serve"}}, true},
		{Server{Command: `C:\Programs\catalog.EXE`, Args: []string{"serve"}}, true},
		{Server{Command: "/opt/renamed", Args: []string{"serve"}}, true},
		{Server{Command: "renamed", Args: []string{"serve"}}, false},
		{Server{Command: "/opt/catalog-of-books", Args: []string{"serve"}}, false},
		{Server{Command: "/opt/catalog/", Args: []string{"serve"}}, false},
		{Server{Command: ".exe", Args: []string{"serve"}}, false},
		{Server{Command: "catalog", Args: []string{"list"}}, false},
		{Server{Command: "catalog", Args: nil}, false},
		{Server{Command: "npx", Args: []string{"catalog", "serve"}}, false},
		{Server{}, false},
	}
	for _, tt := range tests {
		if got := tt.s.ours("/opt/renamed"); got != tt.want {
			t.Errorf("%q: %v", tt.s, got)
		}
	}
}

// Every string survives a round trip through both formats.
func TestQuote(t *testing.T) {
	t.Parallel()
	odd := Server{Command: "C:\\a \"b\"\t\x01\x7f<é>\u2028", Args: []string{"serve", "'", "\n"}}
	var values map[string]any
	if err := decoder.Unmarshal(codex.File(odd), &values); err != nil {
		t.Fatal(err)
	}
	if got := codex.tomlServer(values["mcp_servers"].(map[string]any)["catalog"].(map[string]any)); got.Command != odd.Command || !slices.Equal(got.Args, odd.Args) {
		t.Errorf("TOML: %q, want %q", got, odd)
	}
	d, err := parse(vscode.File(odd))
	if err != nil {
		t.Fatal(err)
	}
	_, servers, _, _ := d.findObject(d.root, "servers")
	_, entry, _, _ := d.findObject(servers, "catalog")
	if got := vscode.entry.commandOf(entry); got.Command != odd.Command || !slices.Equal(got.Args, odd.Args) {
		t.Errorf("JSON: %q, want %q", got, odd)
	}
}
