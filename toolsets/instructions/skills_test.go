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

// workshop returns a catalog of entries, some of which can be skills.
func workshop(t *testing.T, choice instructions.SkillChoice) *agent {
	t.Helper()
	long := strings.Repeat("n", 64)
	files := map[string]string{
		"deploy.md":       "---\ncontentType: skill\ntitle: Deploy\nsemanticSummary: \"Deploy: with \\\"care\\\"\\nand a # plan\"\n---\n\n# Deploy\n",
		"a_b.md":          "---\ntitle: second\ncontentType: skill\n---\nUnderscore.\n",
		"a-b.md":          "---\ntitle: first\ncontentType: Skill\n---\nHyphen.\n",
		long + ".md":      "---\ntitle: as long as can be\ncontentType: skill\n---\nx\n",
		long + "n.md":     "---\ntitle: too long\ncontentType: skill\n---\nx\n",
		"two--hyphens.md": "---\ntitle: no name\ncontentType: skill\n---\nx\n",
		"x-_y.md":         "---\ntitle: no name\ncontentType: skill\n---\nx\n",
		"plain.md":        "---\ntitle: Plain\n---\nPlain.\n",
		"nested.json": `{"id":"nested","title":"Nested","priority":1,"audience":"all","requirement":"optional","categories":[],"schemaVersion":"7","contentType":"skill",` +
			`"body":"---\r\nname: other\r\ndescription: >\r\n  other\r\nallowed-tools: Bash\r\n---\r\n\r\n# Nested\r\n"}`,
		"rule.json": `{"id":"rule","title":"\u0001","priority":1,"audience":"all","requirement":"optional","categories":[],"schemaVersion":"7","contentType":"skill",` +
			`"body":"---\n\nname: is a word here\n\n---\nText.\n"}`,
		"lengthy.md": "---\ntitle: x\ncontentType: skill\nsemanticSummary: " + strings.Repeat("ü", 2000) + "\n---\nx\n",
	}
	return newAgent(t, open(t, files).dir, choice)
}

func skillsOf(t *testing.T, a *agent) (names string, all []rpc.Skill) {
	t.Helper()
	all, next, err := a.Skills(t.Context(), "")
	if err != nil || next != "" {
		t.Fatalf("cursor %q, %v", next, err)
	}
	for _, s := range all {
		names += " " + s.Name
	}
	return names[1:], all
}

func TestSkillChoice(t *testing.T) {
	t.Parallel()
	marked := "a-b deploy lengthy nested " + strings.Repeat("n", 64) + " rule"
	if got, _ := skillsOf(t, workshop(t, instructions.MarkedSkills)); got != marked {
		t.Errorf("marked: %s", got)
	}
	if got, _ := skillsOf(t, workshop(t, instructions.AllSkills)); got != strings.Replace(marked, " rule", " plain rule", 1) {
		t.Errorf("all: %s", got)
	}
}

// TestSkillsAreWhatTheySay checks that a skill has the digest, size and front matter
// that the list and the single skill announce.
func TestSkillsAreWhatTheySay(t *testing.T) {
	t.Parallel()
	a := workshop(t, instructions.AllSkills)
	_, all := skillsOf(t, a)
	for _, s := range all {
		if len(s.Files) != 1 || s.Files[0].URI != s.URI || s.URI != "skill://"+s.Name+"/SKILL.md" {
			t.Fatalf("%+v", s)
		}
		content, err := a.Read(t.Context(), s.URI)
		if err != nil {
			t.Fatal(err)
		}
		if digest := fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(content.Text))); digest != s.Files[0].Digest || len(content.Text) != s.Files[0].Size {
			t.Errorf("%s: %s, %d bytes, read were %s, %d bytes", s.URI, s.Files[0].Digest, s.Files[0].Size, digest, len(content.Text))
		}
		checkFrontMatter(t, content.Text, s)
		if single, err := a.Skill(t.Context(), s.URI); err != nil || fmt.Sprint(single) != fmt.Sprint(s) {
			t.Errorf("%s: got %+v, %v, want %+v", s.URI, single, err, s)
		}
	}
}

func checkFrontMatter(t *testing.T, text string, s rpc.Skill) {
	t.Helper()
	front, _, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n\n")
	var members map[string]any
	if err := yaml.Unmarshal([]byte(front), &members); err != nil || !ok {
		t.Fatalf("%s: %v: %s", s.URI, err, text)
	}
	if len(members) != 2 || members["name"] != s.Name || members["description"] != s.Description {
		t.Errorf("%s: %v, the list said %q, %q", s.URI, members, s.Name, s.Description)
	}
}

func TestSkillTexts(t *testing.T) {
	t.Parallel()
	a := workshop(t, instructions.MarkedSkills)
	for name, want := range map[string]string{
		"deploy":  "---\nname: \"deploy\"\ndescription: \"Deploy: with \\\"care\\\" and a # plan\"\n---\n\n\n# Deploy\n",
		"a-b":     "---\nname: \"a-b\"\ndescription: \"first\"\n---\n\nHyphen.\n",
		"nested":  "---\nname: \"nested\"\ndescription: \"Nested\"\n---\n\n# Nested\r\n",
		"rule":    "---\nname: \"rule\"\ndescription: \"Instruction rule\"\n---\n\n---\n\nname: is a word here\n\n---\nText.\n",
		"lengthy": "---\nname: \"lengthy\"\ndescription: \"" + strings.Repeat("ü", 1023) + "…\"\n---\n\nx\n",
	} {
		content, err := a.Read(t.Context(), "skill://"+name+"/SKILL.md")
		if err != nil || content.Text != want {
			t.Errorf("%s: %v\n got %q\nwant %q", name, err, content.Text, want)
		}
	}
}

func TestNoSkill(t *testing.T) {
	t.Parallel()
	a := workshop(t, instructions.MarkedSkills)
	for _, uri := range []string{
		"", "skill://", "skill://plain/SKILL.md", "skill://a_b/SKILL.md", "skill://two--hyphens/SKILL.md", "skill://deploy",
		"skill://deploy/", "skill://deploy/skill.md", "skill://deploy/SKILL.md/", "skill://x/deploy/SKILL.md", "instruction://deploy",
		"skill://%zz/SKILL.md",
	} {
		if s, err := a.Skill(t.Context(), uri); !errors.Is(err, rpc.ErrNoResource) {
			t.Errorf("%q: %+v, %v", uri, s, err)
		}
	}
}
