package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

var (
	_ rpc.Resources = (*Toolset)(nil)
	_ rpc.Skills    = (*Toolset)(nil)
)

const (
	markdown = "text/markdown"

	// pageSize is how many resources or skills are on a page.
	pageSize = 100

	// maxDescription is how long the description of a resource or a skill
	// may be, in characters. Agent Skills allows a skill that many.
	maxDescription = 1024

	// metaPrefix is what the names of our members of _meta begin with.
	metaPrefix = "instructions/"
)

// Resources returns the entries in id order, 100 on a page. A cursor is good
// for the snapshot that issued it.
func (t *Toolset) Resources(ctx context.Context, cursor string) ([]rpc.Resource, string, error) {
	s, err := t.snapshot(ctx)
	if err != nil {
		return nil, "", err
	}
	page, next, err := s.Page(s.Entries(), pageSize, catalog.Cursor(cursor))
	if err != nil {
		return nil, "", rpc.BadParam("cursor", err.Error())
	}
	resources := make([]rpc.Resource, len(page))
	for i, e := range page {
		resources[i] = resourceOf(e)
	}
	return resources, string(next), nil
}

func resourceOf(e *catalog.Entry) rpc.Resource {
	return rpc.Resource{
		URI:         instructionURI(e.ID),
		Name:        string(e.ID),
		Title:       titleOf(e),
		Description: brief(e.SemanticSummary, maxDescription),
		MIMEType:    markdown,
		Size:        int64(len(e.Body.Text())),
		Audience:    readers,
		Priority:    importance(e),
		Modified:    string(e.UpdatedAt),
		Meta:        metaOf(e),
	}
}

// metaOf says how binding an entry is in the catalog's own terms. The priority of a
// resource, a single number, cannot express that.
func metaOf(e *catalog.Entry) map[string]any {
	meta := map[string]any{
		metaPrefix + "requirement": e.Requirement,
		metaPrefix + "priority":    e.Priority,
	}
	if e.DeprecatedBy != "" {
		meta[metaPrefix+"deprecatedBy"] = e.DeprecatedBy
	}
	return meta
}

// readers are whom every entry is for. An entry's audience says how many people
// it binds, not which side of a conversation: also by what is for an individual
// the assistant works, and the user may want to know.
var readers = []rpc.Role{rpc.User, rpc.Assistant}

// Templates returns the families of URIs, and the table of contents.
func (t *Toolset) Templates() []rpc.Template {
	return []rpc.Template{
		{
			URI: indexURI, Name: "index", Title: "Table of contents", MIMEType: markdown,
			Description: "All instructions with how binding they are, most binding first.",
		},
		{
			URI: instructionScheme + "://{id}", Name: "instruction", Title: "Instruction", MIMEType: markdown,
			Description: "An instruction by its id.",
			Variable:    "id", Complete: t.completer(idsOf),
		},
		{
			URI: skillScheme + "://{name}/" + skillFile, Name: "skill", Title: "Skill", MIMEType: markdown,
			Description: "A skill by its name.",
			Variable:    "name", Complete: t.completer(t.skillNames),
		},
		{
			URI: skillScheme + "://{name}/{+file}", Name: "skill-file", Title: "File of a skill",
			Description: "A file that belongs to a skill, by its path in the skill's folder.",
			Variable:    "name", Complete: t.completer(t.skillNames),
		},
	}
}

// Read returns the body of an entry as it is served, the table of contents, or
// a SKILL.md.
func (t *Toolset) Read(ctx context.Context, uri string) (rpc.Content, error) {
	s, err := t.snapshot(ctx)
	if err != nil {
		return rpc.Content{}, err
	}
	content := rpc.Content{URI: uri, MIMEType: markdown}
	if uri == indexURI {
		content.Text = indexPage(s)
		return content, nil
	}
	if id, ok := instructionID(uri); ok {
		e, ok := s.Get(id)
		if !ok {
			return rpc.Content{}, instead(nearestIDs(s, id))
		}
		content.Text, content.Meta = e.Body.Text(), metaOf(e)
		return content, nil
	}
	content, ok := t.readSkill(ctx, s, uri)
	if !ok {
		return rpc.Content{}, t.noSkill(s, uri)
	}
	return content, nil
}

// instead is the error for an entry that is not there.
func instead(ids []string) error {
	var e rpc.NoResource
	for _, id := range ids {
		e.Nearest = append(e.Nearest, instructionURI(catalog.ID(id)))
	}
	return e
}
