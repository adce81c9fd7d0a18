package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

var (
	_ rpc.ResourceLister = (*Toolset)(nil)
	_ rpc.Skills         = (*Toolset)(nil)
)

const (
	markdown = "text/markdown"

	// pageSize is the number of resources or skills on a page.
	pageSize = 100

	// maxDescription is the maximum length of the description of a resource or a skill,
	// in characters. It is the limit that Agent Skills sets for skills.
	maxDescription = 1024

	// metaPrefix is the prefix of the keys that we add to _meta.
	metaPrefix = "instructions/"
)

// Resources returns the entries in id order, 100 per page. A cursor is valid only for
// the snapshot that issued it.
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

// metaOf returns the requirement and priority of an entry in the catalog's own terms. A
// resource priority is a single number and cannot express both.
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

// readers are the audience of every resource. An entry's own audience does not map to
// roles in a conversation, because it says how many people the entry binds. An entry for
// an individual also guides the assistant, and the user may want to read it.
var readers = []rpc.Role{rpc.User, rpc.Assistant}

// Templates returns the URI templates, and the URI of the table of contents.
func (t *Toolset) Templates() []rpc.Template {
	return []rpc.Template{
		{
			URI: indexURI, Name: "index", Title: "Table of contents", MIMEType: markdown,
			Description: "All instructions with their requirement, most binding first.",
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

// Read returns the body of an entry, the table of contents, or a file of a skill.
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

// instead returns the error for an unknown entry, with the URIs of similar ids.
func instead(ids []string) error {
	var e rpc.NoResource
	for _, id := range ids {
		e.Nearest = append(e.Nearest, instructionURI(catalog.ID(id)))
	}
	return e
}
