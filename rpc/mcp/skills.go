package mcp

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// skillsExtension is the name of the extension with which a server declares that it serves
// skills (modelcontextprotocol/ext-skills, specification/stable/skills.mdx).
const skillsExtension = "io.modelcontextprotocol/skills"

type listSkillsParams struct {
	mcp.ParamsBase
	Cursor string `json:"cursor"`
}

type listSkillsResult struct {
	mcp.ResultBase
	mcp.Cacheable
	ResultType string  `json:"resultType,omitempty"`
	Skills     []skill `json:"skills"`
	NextCursor string  `json:"nextCursor,omitempty"`
}

type getSkillParams struct {
	mcp.ParamsBase
	URI string `json:"uri"`
}

type getSkillResult struct {
	mcp.ResultBase
	mcp.Cacheable
	ResultType string `json:"resultType,omitempty"`
	Skill      skill  `json:"skill"`
}

// skill describes a skill: its front matter and all its files.
type skill struct {
	URI         string      `json:"uri"`
	FrontMatter frontMatter `json:"frontmatter"`
	Resources   []skillFile `json:"resources"`
}

type frontMatter struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

type skillFile struct {
	URI    string `json:"uri"`
	Digest string `json:"digest"`
	Size   int    `json:"size"`
}

func (s *Server) addSkills() {
	err := errors.Join(
		mcp.AddReceivingCustomMethod(s.sdk, "skills/list", s.listSkills),
		mcp.AddReceivingCustomMethod(s.sdk, "skills/get", s.getSkill),
	)
	if err != nil {
		panic(err) // happens only if a newer SDK defines these methods itself
	}
}

func (s *Server) listSkills(ctx context.Context, _ *mcp.ServerSession, p *listSkillsParams) (*listSkillsResult, error) {
	var cursor string
	if p != nil {
		cursor = p.Cursor
	}
	page, next, err := s.library.skills(ctx, cursor)
	if err != nil {
		return nil, s.explain("skills/list", err)
	}
	result := &listSkillsResult{Skills: []skill{}, NextCursor: next, ResultType: "complete", Cacheable: fresh()}
	for _, k := range page {
		result.Skills = append(result.Skills, skillOf(k))
	}
	return result, nil
}

func (s *Server) getSkill(ctx context.Context, _ *mcp.ServerSession, p *getSkillParams) (*getSkillResult, error) {
	if p == nil || p.URI == "" {
		return nil, wireError(rpc.Missing("uri"))
	}
	k, err := s.library.skill(ctx, p.URI)
	if errors.Is(err, rpc.ErrNoResource) {
		return nil, notThere(p.URI, err)
	}
	if err != nil {
		return nil, s.explain("skills/get", err)
	}
	return &getSkillResult{Skill: skillOf(k), ResultType: "complete", Cacheable: fresh()}, nil
}

func fresh() mcp.Cacheable {
	return mcp.Cacheable{TTLMs: int(rpc.FreshFor.Milliseconds()), CacheScope: "private"}
}

func skillOf(k rpc.Skill) skill {
	entry := skill{URI: k.URI, FrontMatter: frontMatter{k.Name, k.Description}, Resources: []skillFile{}}
	for _, f := range k.Files {
		entry.Resources = append(entry.Resources, skillFile(f))
	}
	return entry
}
