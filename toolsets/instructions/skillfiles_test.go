package instructions_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/instructions"
)

// skillRepository returns a repository with two agent skills and a file in the catalog's
// own format that is loaded as a skill.
func skillRepository(t *testing.T) *agent {
	t.Helper()
	return newAgent(t, open(t, map[string]string{
		".claude/skills/deploy/SKILL.md": "---\nname: deploy\ndescription: Deploys the service.\nallowed-tools: Bash, Read\n" +
			"metadata:\n  team: ops\n---\nSee [the plan](references/the%20plan.md).\n",
		".claude/skills/deploy/references/the plan.md": "# Plan\n",
		".claude/skills/deploy/scripts/run.sh":         "#!/bin/sh\necho deployed\n",
		".claude/skills/deploy/logo.png":               "\x89PNG\r\n\x1a\n\x00\x01",
		".claude/skills/deploy/.env":                   "TOKEN=secret\n",
		".agents/skills/review/SKILL.md":               "---\nname: review\ndescription: Reviews.\n---\nReview.\n",
		"instructions/own.md":                          "---\nload: skill\ntitle: Own\n---\nOwn.\n",
		"instructions/rule.md":                         "---\ntitle: Rule\n---\nRule.\n",
	}).dir, instructions.MarkedSkills)
}

// TestAgentsSkills checks that files which agents load as skills are offered as skills,
// under their own names and with all their files.
func TestAgentsSkills(t *testing.T) {
	t.Parallel()
	a := skillRepository(t)
	names, all := skillsOf(t, a)
	if names != "review deploy instructions-own" {
		t.Fatalf("skills: %s", names)
	}
	var files []string
	for _, s := range all {
		for _, f := range s.Files {
			files = append(files, f.URI)
			checkFile(t, a, f)
		}
	}
	want := "skill://review/SKILL.md skill://deploy/SKILL.md skill://deploy/logo.png skill://deploy/references/the%20plan.md " +
		"skill://deploy/scripts/run.sh skill://instructions-own/SKILL.md"
	if strings.Join(files, " ") != want {
		t.Errorf("files: %s", files)
	}
}

// checkFile reads a file of a skill and checks that it matches the list.
func checkFile(t *testing.T, a *agent, f rpc.SkillFile) {
	t.Helper()
	content, err := a.Read(t.Context(), f.URI)
	if err != nil || content.URI != f.URI {
		t.Fatalf("%s: %+v, %v", f.URI, content, err)
	}
	data := append([]byte(content.Text), content.Blob...)
	if digest := fmt.Sprintf("sha256:%x", sha256.Sum256(data)); digest != f.Digest || len(data) != f.Size {
		t.Errorf("%s: %d bytes with %s, the list said %d with %s", f.URI, len(data), digest, f.Size, f.Digest)
	}
}

func TestSkillContents(t *testing.T) {
	t.Parallel()
	a := skillRepository(t)
	for uri, want := range map[string]rpc.Content{
		"skill://deploy/references/the%20plan.md": {MIMEType: "text/markdown", Text: "# Plan\n"},
		"skill://deploy/scripts/run.sh":           {MIMEType: "text/plain; charset=utf-8", Text: "#!/bin/sh\necho deployed\n"},
		"skill://deploy/logo.png":                 {MIMEType: "image/png", Blob: []byte("\x89PNG\r\n\x1a\n\x00\x01")},
	} {
		got, err := a.Read(t.Context(), uri)
		if err != nil || got.MIMEType != want.MIMEType || got.Text != want.Text || string(got.Blob) != string(want.Blob) {
			t.Errorf("%s: %+v, %v", uri, got, err)
		}
	}
	for _, uri := range []string{
		"skill://deploy/.env", "skill://deploy/references", "skill://deploy/../review/SKILL.md", "skill://deploy/references/%2e%2e/.env",
		"skill://review/references/the%20plan.md", "skill://instructions-own/rule.md", "skill://deploy//scripts/run.sh",
	} {
		if got, err := a.Read(t.Context(), uri); !errors.Is(err, rpc.ErrNoResource) {
			t.Errorf("%s: %+v, %v", uri, got, err)
		}
	}
	content, err := a.Read(t.Context(), "skill://deploy/SKILL.md")
	front, body, _ := strings.Cut(strings.TrimPrefix(content.Text, "---\n"), "\n---\n\n")
	var fields map[string]any
	if err := errors.Join(err, yaml.Unmarshal([]byte(front), &fields)); err != nil {
		t.Fatal(err)
	}
	if want := "map[allowed-tools:Bash, Read description:Deploys the service. metadata:map[team:ops] name:deploy]"; fmt.Sprint(fields) != want {
		t.Errorf("front matter: %v", fields)
	}
	if body != "See [the plan](references/the%20plan.md).\n" {
		t.Errorf("body: %q", body)
	}
}

// TestSkillsOverTheProtocol checks that an MCP client can list a skill and read its
// files, including binary ones.
func TestSkillsOverTheProtocol(t *testing.T) {
	t.Parallel()
	a := skillRepository(t)
	for _, tt := range []struct{ method, params, want string }{
		{"skills/list", ``, `"frontmatter":{"name":"deploy","description":"Deploys the service."}`},
		{"skills/get", `"uri":"skill://deploy/SKILL.md"`, `"uri":"skill://deploy/references/the%20plan.md"`},
		{"resources/read", `"uri":"skill://deploy/references/the%20plan.md"`, `"text":"# Plan\n"`},
		{"resources/read", `"uri":"skill://deploy/logo.png"`, `"mimeType":"image/png","blob":"iVBORw0KGgoAAQ=="`},
		{"resources/read", `"uri":"skill://deploy/.env"`, `"code":-32602`},
		{"resources/templates/list", ``, `"uriTemplate":"skill://{name}/{+file}"`},
	} {
		if got := a.ask(tt.method, tt.params); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: want %s, got %s", tt.method, tt.params, tt.want, got)
		}
	}
}
