package hosts

// All returns the hosts that we know, in the order in which they are shown.
// Each names the documents that it follows, as they were in November 2026.
func All() []Host {
	return []Host{
		vscode, claudeCode, claudeDesktop, cursor, copilotCLI, zed, codex, gemini, openCode,
	}
}

// VS Code documentation, "MCP configuration reference". A server of a workspace
// starts in its folder, says the schema of mcp.json.
var vscode = Host{
	Name: "vscode", Title: "VS Code",
	key:     "servers",
	entry:   entryForm{kind: "stdio"},
	project: []string{".vscode/mcp.json"},
	user:    func(p *places) []string { return []string{p.join(p.applications(), "Code", "User", "mcp.json")} },
}

// Claude Code documentation, "Connect Claude Code to tools via MCP": the scopes
// "project" and "user".
var claudeCode = Host{
	Name: "claude-code", Title: "Claude Code",
	key:     "mcpServers",
	entry:   entryForm{kind: "stdio"},
	project: []string{".mcp.json"},
	user: func(p *places) []string {
		return []string{p.join(p.folder("CLAUDE_CONFIG_DIR"), ".claude.json")}
	},
}

// Model Context Protocol documentation, "Connect to local MCP servers", and
// "Debugging" for the absolute path. On Windows, the packaged application reads
// a copy of its own; where that is, say the maintainers' issues about MSIX.
var claudeDesktop = Host{
	Name: "claude-desktop", Title: "Claude Desktop", NeedsPath: true,
	key: "mcpServers",
	user: func(p *places) []string {
		const file = "claude_desktop_config.json"
		files := []string{p.join(p.applications(), "Claude", file)}
		if p.windows() {
			files = append(files, p.join(p.localApplications(), "Packages", "Claude_pzs8sxrjxfjjc",
				"LocalCache", "Roaming", "Claude", file))
		}
		return files
	},
}

// Cursor documentation, "Model Context Protocol (MCP)". It may start a server in
// the home folder, but replaces ${workspaceFolder} in arguments by the folder
// that holds .cursor/mcp.json.
var cursor = Host{
	Name: "cursor", Title: "Cursor", Workspace: "${workspaceFolder}",
	key:     "mcpServers",
	entry:   entryForm{kind: "stdio"},
	project: []string{".cursor/mcp.json"},
	user:    func(p *places) []string { return []string{p.join(p.home(), ".cursor", "mcp.json")} },
}

// GitHub documentation, "Adding MCP servers for GitHub Copilot CLI". Of the two
// files of a project, .github/mcp.json is the one that is meant to be shared.
var copilotCLI = Host{
	Name: "copilot-cli", Title: "GitHub Copilot CLI",
	key:     "mcpServers",
	entry:   entryForm{kind: "local", first: []property{{"tools", []string{"*"}}}},
	project: []string{".github/mcp.json"},
	user: func(p *places) []string {
		return []string{p.join(p.folder("COPILOT_HOME", ".copilot"), "mcp-config.json")}
	},
}

// Zed documentation, "Model Context Protocol" and "Configuring Zed".
var zed = Host{
	Name: "zed", Title: "Zed",
	key:     "context_servers",
	project: []string{".zed/settings.json"},
	user: func(p *places) []string {
		const file = "settings.json"
		switch p.OS {
		case "windows":
			return []string{p.join(p.applications(), "Zed", file)}
		case "darwin":
			return []string{p.join(p.home(), ".config", "zed", file)}
		}
		return []string{p.join(p.config(), "zed", file)}
	},
}

// Codex documentation, "Model Context Protocol" and "Configuration Reference".
var codex = Host{
	Name: "codex", Title: "Codex",
	format:  toml,
	key:     "mcp_servers",
	project: []string{".codex/config.toml"},
	user: func(p *places) []string {
		return []string{p.join(p.folder("CODEX_HOME", ".codex"), "config.toml")}
	},
}

// Gemini CLI documentation, "MCP servers with the Gemini CLI" and "Gemini CLI
// configuration".
var gemini = Host{
	Name: "gemini", Title: "Gemini CLI",
	key:     "mcpServers",
	project: []string{".gemini/settings.json"},
	user: func(p *places) []string {
		return []string{p.join(p.folder("GEMINI_CLI_HOME"), ".gemini", "settings.json")}
	},
}

// OpenCode documentation, "MCP servers" and "Config" of version 1. Version 2
// reads that form, too, says its "Migrate from V1"; version 1 does not read that
// of version 2.
var openCode = Host{
	Name: "opencode", Title: "OpenCode",
	key:     "mcp",
	entry:   entryForm{kind: "local", joined: true, first: []property{{"enabled", true}}},
	project: []string{"opencode.json", "opencode.jsonc"},
	user: func(p *places) []string {
		folder := p.join(p.config(), "opencode")
		return []string{p.join(folder, "opencode.json"), p.join(folder, "opencode.jsonc")}
	},
}
