package v2

import (
	"context"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
)

type project struct {
	ID          string  `json:"id"`
	Slug        string  `json:"slug"`
	Name        string  `json:"name"`
	Description *string `json:"description"`
	CreatedAt   string  `json:"createdAt"`
	UpdatedAt   string  `json:"updatedAt"`
}

func newProject(p entities.ProjectInfo) project {
	return project{string(p.ID), p.Slug, p.Name, p.Description, p.CreatedAt.String(), p.UpdatedAt.String()}
}

func (t *toolset) listProjects() rpc.Method {
	return entities.Declare(t.contract, "list_projects", rpc.Method{
		Title:   "List projects",
		Summary: "List all projects accessible to the current user.",
		Doc:     "Sorted by `slug`, then `id`, ascending.",
	}, func(ctx context.Context, p pageParams) (page[project], error) {
		return pageOf(newProject)(t.backend.Projects(ctx, p.request()))
	})
}
