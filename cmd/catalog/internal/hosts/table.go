package hosts

// All returns the supported hosts in the order in which they are shown. The comment on
// each names its documentation, as of November 2026.
func All() []Host {
	return []Host{
		vscode, claudeCode, claudeDesktop, cursor, copilotCLI, zed, codex, gemini, openCode,
		antigravity, cline, roo, windsurf, junie, aiAssistant,
	}
}

// Source: VS Code documentation, "MCP configuration reference". According to the schema
// of mcp.json, a server of a workspace starts in the workspace's folder.
var vscode = Host{
	Name: "vscode", Title: "VS Code",
	key:     "servers",
	entry:   entryForm{kind: "stdio", url: urlForm{kind: "http", member: "url"}},
	project: []string{".vscode/mcp.json"},
	user:    func(p *places) []string { return []string{p.join(p.applications(), "Code", "User", "mcp.json")} },
}

// Source: Claude Code documentation, "Connect Claude Code to tools via MCP", the scopes
// "project" and "user". Its section "Environment variable expansion" also applies to
// headers.
var claudeCode = Host{
	Name: "claude-code", Title: "Claude Code",
	key:     "mcpServers",
	entry:   entryForm{kind: "stdio", url: urlForm{kind: "http", member: "url", token: "${%s}"}},
	project: []string{".mcp.json"},
	user: func(p *places) []string {
		return []string{p.join(p.folder("CLAUDE_CONFIG_DIR"), ".claude.json")}
	},
}

// Source: Model Context Protocol documentation, "Connect to local MCP servers", and
// "Debugging" for the absolute path. On Windows, the packaged application reads its own
// copy; the maintainers' issues about MSIX document its location.
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

// Source: Cursor documentation, "Model Context Protocol (MCP)". Cursor may start a
// server in the home folder, but in arguments it replaces ${workspaceFolder} with the
// folder that contains .cursor/mcp.json. It replaces ${env:NAME}, also in headers.
var cursor = Host{
	Name: "cursor", Title: "Cursor", Workspace: "${workspaceFolder}",
	key:     "mcpServers",
	entry:   entryForm{kind: "stdio", url: urlForm{member: "url", token: "${env:%s}"}},
	project: []string{".cursor/mcp.json"},
	user:    func(p *places) []string { return []string{p.join(p.home(), ".cursor", "mcp.json")} },
}

// Source: GitHub documentation, "Adding MCP servers for GitHub Copilot CLI". A project
// has two files; .github/mcp.json is the one to share.
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

// Source: Zed documentation, "Model Context Protocol" and "Configuring Zed".
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

// Source: Codex documentation, "Model Context Protocol" and "Configuration Reference".
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

// Source: Gemini CLI documentation, "MCP servers with the Gemini CLI" and "Gemini CLI
// configuration". ${NAME} is replaced in every string of the file.
var gemini = Host{
	Name: "gemini", Title: "Gemini CLI",
	key:     "mcpServers",
	entry:   entryForm{url: urlForm{member: "httpUrl", token: "${%s}"}},
	project: []string{".gemini/settings.json"},
	user: func(p *places) []string {
		return []string{p.join(p.folder("GEMINI_CLI_HOME"), ".gemini", "settings.json")}
	},
}

// Source: OpenCode documentation of version 1, "MCP servers" and "Config". Version 2
// also reads this form, according to its "Migrate from V1"; version 1 does not read the
// form of version 2.
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

// Source: Antigravity documentation, "MCP", "Global and workspace server configs". From
// version 2 on, the desktop application and the command line read one file; older
// versions read the one in .gemini/antigravity. A URL belongs in serverUrl. The
// documentation does not say where servers start.
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

// Source: Cline documentation, "MCP Overview" and "Cline CLI Reference". The command
// line and newer versions of the extension read the first file; older versions read the
// one in the storage of VS Code. Cline has no project configuration.
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

// Source: Roo Code documentation, "Using MCP in Roo Code". A server starts in the first
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

// Source: Windsurf documentation, "Cascade MCP Integration". There is one file for all
// projects. A URL belongs in serverUrl, and ${env:NAME} is replaced, also in headers.
var windsurf = Host{
	Name: "windsurf", Title: "Windsurf",
	key:   "mcpServers",
	entry: entryForm{url: urlForm{member: "serverUrl", token: "${env:%s}"}},
	user: func(p *places) []string {
		return []string{p.join(p.home(), ".codeium", "windsurf", "mcp_config.json")}
	},
}

// Source: JetBrains documentation, "Junie: Model Context Protocol" and "Junie CLI: MCP
// configuration". Only the second describes URLs. Neither says where servers start.
var junie = Host{
	Name: "junie", Title: "JetBrains Junie", Elsewhere: true,
	key:     "mcpServers",
	entry:   entryForm{url: urlForm{member: "url"}},
	project: []string{".junie/mcp/mcp.json"},
	user:    func(p *places) []string { return []string{p.join(p.home(), ".junie", "mcp", "mcp.json")} },
}

// Source: JetBrains documentation, "AI Assistant: Model Context Protocol (MCP)". Users
// paste entries into the settings; no file is documented.
var aiAssistant = Host{
	Name: "jetbrains", Title: "JetBrains AI Assistant", Elsewhere: true, NeedsPath: true,
	Settings: "Settings | Tools | AI Assistant | Model Context Protocol (MCP)",
	key:      "mcpServers",
	entry:    entryForm{url: urlForm{member: "url"}},
	user: func(p *places) []string {
		p.fail("JetBrains AI Assistant does not document which file has its servers: add --print, and paste the output into its settings")
		return nil
	},
}
