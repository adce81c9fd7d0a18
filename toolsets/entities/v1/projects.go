package v1

import (
	"cmp"
	"context"
	"slices"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
)

// maxProjects is the maximum number of projects in an answer.
const maxProjects = 100

type projectsResult struct {
	Projects []project `json:"projects"`
}

type project struct {
	ID          string  `json:"id"`
	Name        string  `json:"name"`
	Slug        string  `json:"slug"`
	Description *string `json:"description"`
	CreatedAt   string  `json:"createdAt"`
	UpdatedAt   string  `json:"updatedAt"`
}

func (t *toolset) listProjects() rpc.Method {
	return entities.Declare(t.contract, "list_projects", rpc.Method{
		Title:   "List projects",
		Summary: "Enumerate projects accessible to this MCP server instance.",
		Doc:     "Sorted by `name`, whatever its case, then `id`. The first 100.",
	}, func(ctx context.Context, _ struct{}) (projectsResult, error) {
		projects, err := collect(ctx, entities.MaxRequests, func(p entities.ProjectInfo) entities.ID { return p.ID }, t.backend.Projects)
		if err != nil {
			return projectsResult{}, err
		}
		slices.SortFunc(projects, func(a, b entities.ProjectInfo) int {
			return cmp.Or(compareText(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
		})
		result := projectsResult{[]project{}}
		for _, p := range projects[:min(len(projects), maxProjects)] {
			result.Projects = append(result.Projects, project{
				string(p.ID), p.Name, p.Slug, p.Description, p.CreatedAt.String(), p.UpdatedAt.String(),
			})
		}
		return result, nil
	})
}
