package hosts

// All returns the hosts that we know, in the order in which they are shown.
// Each names the documents that it follows, as they were in November 2026.
func All() []Host {
	return []Host{
		vscode, claudeCode, claudeDesktop, cursor, copilotCLI, zed, codex, gemini, openCode,
		antigravity, cline, roo, windsurf, junie, aiAssistant,
	}
}

// VS Code documentation, "MCP configuration reference". A server of a workspace
// starts in its folder, says the schema of mcp.json.
var vscode = Host{
	Name: "vscode", Title: "VS Code",
	key:     "servers",
	entry:   entryForm{kind: "stdio", url: urlForm{kind: "http", member: "url"}},
	project: []string{".vscode/mcp.json"},
	user:    func(p *places) []string { return []string{p.join(p.applications(), "Code", "User", "mcp.json")} },
}

// Claude Code documentation, "Connect Claude Code to tools via MCP": the scopes
// "project" and "user"; and there "Environment variable expansion", which is also
// in headers.
var claudeCode = Host{
	Name: "claude-code", Title: "Claude Code",
	key:     "mcpServers",
	entry:   entryForm{kind: "stdio", url: urlForm{kind: "http", member: "url", token: "${%s}"}},
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
// that holds .cursor/mcp.json, and ${env:NAME} in headers, too.
var cursor = Host{
	Name: "cursor", Title: "Cursor", Workspace: "${workspaceFolder}",
	key:     "mcpServers",
	entry:   entryForm{kind: "stdio", url: urlForm{member: "url", token: "${env:%s}"}},
	project: []string{".cursor/mcp.json"},
	user:    func(p *places) []string { return []string{p.join(p.home(), ".cursor", "mcp.json")} },
}

// GitHub documentation, "Adding MCP servers for GitHub Copilot CLI". Of the two
// files of a project, .github/mcp.json is the one that is meant to be shared.
var copilotCLI = Host{
	Name: "copilot-cli", Title: "GitHub Copilot CLI",
	key: "mcpServers",
	entry: entryForm{kind: "local", first: []property{{"tools", []string{"*"}}},
		url: urlForm{kind: "http", member: "url"}},
	project: []string{".github/mcp.json"},
	user: func(p *places) []string {
		return []string{p.join(p.folder("COPILOT_HOME", ".copilot"), "mcp-config.json")}
	},
}

// Zed documentation, "Model Context Protocol" and "Configuring Zed".
var zed = Host{
	Name: "zed", Title: "Zed",
	key:     "context_servers",
	entry:   entryForm{url: urlForm{member: "url"}},
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
	entry:   entryForm{url: urlForm{member: "url", tokenMember: "bearer_token_env_var"}},
	project: []string{".codex/config.toml"},
	user: func(p *places) []string {
		return []string{p.join(p.folder("CODEX_HOME", ".codex"), "config.toml")}
	},
}

// Gemini CLI documentation, "MCP servers with the Gemini CLI" and "Gemini CLI
// configuration", by which ${NAME} is replaced in every text of the file.
var gemini = Host{
	Name: "gemini", Title: "Gemini CLI",
	key:     "mcpServers",
	entry:   entryForm{url: urlForm{member: "httpUrl", token: "${%s}"}},
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
	key: "mcp",
	entry: entryForm{kind: "local", joined: true, first: []property{{"enabled", true}},
		url: urlForm{kind: "remote", member: "url", token: "{env:%s}"}},
	project: []string{"opencode.json", "opencode.jsonc"},
	user: func(p *places) []string {
		folder := p.join(p.config(), "opencode")
		return []string{p.join(folder, "opencode.json"), p.join(folder, "opencode.jsonc")}
	},
}

// Antigravity documentation, "MCP", "Global and workspace server configs": the
// desktop application and the command line from version 2 on read one file; older
// ones read that in .gemini/antigravity. A URL stands in serverUrl. Where servers
// start, it does not say.
var antigravity = Host{
	Name: "antigravity", Title: "Antigravity", Elsewhere: true,
	key:     "mcpServers",
	entry:   entryForm{url: urlForm{member: "serverUrl"}},
	project: []string{".agents/mcp_config.json"},
	user: func(p *places) []string {
		const file = "mcp_config.json"
		gemini := p.join(p.home(), ".gemini")
		return []string{p.join(gemini, "config", file), p.join(gemini, "antigravity", file)}
	},
}

// Cline documentation, "MCP Overview" and "Cline CLI Reference": the command line
// and newer versions of the extension read the first file, older ones that in the
// storage of VS Code. It knows no projects.
var cline = Host{
	Name: "cline", Title: "Cline",
	key:   "mcpServers",
	entry: entryForm{url: urlForm{kind: "streamableHttp", member: "url"}},
	user: func(p *places) []string {
		const file = "cline_mcp_settings.json"
		if p.Env("CLINE_MCP_SETTINGS_PATH") != "" {
			return []string{p.folder("CLINE_MCP_SETTINGS_PATH")}
		}
		return []string{
			p.join(p.home(), ".cline", "data", "settings", file),
			p.join(p.extension("saoudrizwan.claude-dev"), "settings", file),
		}
	},
}

// Roo Code documentation, "Using MCP in Roo Code". A server starts in the first
// folder of the workspace.
var roo = Host{
	Name: "roo", Title: "Roo Code",
	key:     "mcpServers",
	entry:   entryForm{url: urlForm{kind: "streamable-http", member: "url"}},
	project: []string{".roo/mcp.json"},
	user: func(p *places) []string {
		return []string{p.join(p.extension("rooveterinaryinc.roo-cline"), "settings", "mcp_settings.json")}
	},
}

// Windsurf documentation, "Cascade MCP Integration": one file for all projects, a
// URL stands in serverUrl, and ${env:NAME} is replaced in headers, too.
var windsurf = Host{
	Name: "windsurf", Title: "Windsurf",
	key:   "mcpServers",
	entry: entryForm{url: urlForm{member: "serverUrl", token: "${env:%s}"}},
	user: func(p *places) []string {
		return []string{p.join(p.home(), ".codeium", "windsurf", "mcp_config.json")}
	},
}

// JetBrains documentation, "Junie: Model Context Protocol" and "Junie CLI: MCP
// configuration", of which the second one tells of URLs. Where servers start, they
// do not say.
var junie = Host{
	Name: "junie", Title: "JetBrains Junie", Elsewhere: true,
	key:     "mcpServers",
	entry:   entryForm{url: urlForm{member: "url"}},
	project: []string{".junie/mcp/mcp.json"},
	user:    func(p *places) []string { return []string{p.join(p.home(), ".junie", "mcp", "mcp.json")} },
}

// JetBrains documentation, "AI Assistant: Model Context Protocol (MCP)": entries
// are pasted into the settings, and no file of them is named.
var aiAssistant = Host{
	Name: "jetbrains", Title: "JetBrains AI Assistant", Elsewhere: true, NeedsPath: true,
	Settings: "Settings | Tools | AI Assistant | Model Context Protocol (MCP)",
	key:      "mcpServers",
	entry:    entryForm{url: urlForm{member: "url"}},
	user: func(p *places) []string {
		p.fail("JetBrains AI Assistant keeps its servers in its settings, in no file that is documented: add --print and paste what it prints there")
		return nil
	},
}
