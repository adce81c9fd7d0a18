package fakebackend

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
)

var uuid = regexp.MustCompile(`^(?i)[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

func isUUID(text string) bool { return uuid.MatchString(text) }

// find returns an entity of a project. Like the real backend, it compares the project id
// case-sensitively.
func (s *Server) find(project, id string) (Entity, bool) {
	e, ok := s.entityOf[strings.ToLower(id)]
	return e, ok && e.ProjectID == project
}

func (s *Server) entity(w http.ResponseWriter, _ *http.Request, project, id string) {
	e, ok := s.find(project, id)
	switch {
	case !isUUID(id):
		refuse(w, http.StatusBadRequest, "id must be a valid UUID")
	case !ok:
		refuse(w, http.StatusNotFound, "Entity not found")
	default:
		reply(w, http.StatusOK, map[string]any{"data": e})
	}
}

// brief is the form of an entity in a graph.
type brief struct {
	ID         string `json:"id"`
	EntityType string `json:"entityType"`
	Title      string `json:"title"`
	Slug       string `json:"slug"`
	Status     string `json:"status"`
}

// edge is the form of a relationship in a graph.
type edge struct {
	ID           string  `json:"id"`
	RelationType string  `json:"relationType"`
	FromEntityID string  `json:"fromEntityId"`
	ToEntityID   string  `json:"toEntityId"`
	Notes        *string `json:"notes"`
	CreatedAt    Time    `json:"createdAt"`
	Related      *brief  `json:"relatedEntity"`
}

func (s *Server) graph(w http.ResponseWriter, r *http.Request, project, id string) {
	e, ok := s.find(project, id)
	depth, numeric := parseInt(r.FormValue("depth"), 1)
	types, known := relationTypes(r.FormValue("relationshipTypes"))
	switch {
	case !isUUID(id):
		refuse(w, http.StatusBadRequest, "id must be a valid UUID")
	case !numeric || depth < 1 || depth > 2:
		refuse(w, http.StatusBadRequest, "depth must be 1 or 2")
	case !known:
		refuse(w, http.StatusBadRequest, "Invalid relationship type")
	case !ok:
		refuse(w, http.StatusNotFound, "Entity not found")
	default:
		reply(w, http.StatusOK, map[string]any{"data": map[string]any{
			"rootEntity": rootFields(e), "relationships": s.edges(project, e.ID, depth, types), "depth": depth,
		}})
	}
}

// relationTypes parses the filter. known is false if a type is empty or not in upper
// case.
func relationTypes(csv string) (types []string, known bool) {
	if csv == "" {
		return nil, true
	}
	types = strings.Split(csv, ",")
	return types, !slices.ContainsFunc(types, func(t string) bool { return t == "" || t != strings.ToUpper(t) })
}

// rootFields returns the fields that a graph contains of its root entity.
func rootFields(e Entity) map[string]any {
	return map[string]any{
		"id": e.ID, "projectId": e.ProjectID, "entityType": e.EntityType, "title": e.Title, "slug": e.Slug,
		"summary": e.Summary, "difficulty": e.Difficulty, "conceptKind": e.ConceptKind, "repoUrl": e.RepoURL,
		"status": e.Status, "canonicalUrl": e.CanonicalURL, "lastVerifiedAt": e.LastVerifiedAt,
		"createdAt": e.CreatedAt, "updatedAt": e.UpdatedAt,
	}
}

// edges returns the relationships of the root and, at depth 2, those of everything one
// hop away, whether or not that is an entity. Each hop is sorted separately.
func (s *Server) edges(project, root string, depth int, types []string) []edge {
	hop := s.touching(project, types, map[string]bool{root: true})
	rows, near := hop, map[string]bool{}
	for _, l := range hop {
		near[l.FromEntityID], near[l.ToEntityID] = true, true
	}
	delete(near, root)
	if depth == 2 {
		for _, l := range s.touching(project, types, near) {
			if !slices.ContainsFunc(hop, func(first Relation) bool { return first.ID == l.ID }) {
				rows = append(rows, l)
			}
		}
	}
	edges := make([]edge, len(rows))
	for i, l := range rows {
		shown := l.FromEntityID
		if shown == root {
			shown = l.ToEntityID
		}
		edges[i] = edge{l.ID, l.RelationType, l.FromEntityID, l.ToEntityID, l.Notes, l.CreatedAt, s.briefOf(project, root, shown)}
	}
	return edges
}

func (s *Server) touching(project string, types []string, ids map[string]bool) (rows []Relation) {
	for _, l := range s.data.Relations {
		if l.ProjectID == project && (ids[l.FromEntityID] || ids[l.ToEntityID]) && (len(types) == 0 || slices.Contains(types, l.RelationType)) {
			rows = append(rows, l)
		}
	}
	slices.SortFunc(rows, func(a, b Relation) int { return newest(a.CreatedAt, b.CreatedAt, a.ID, b.ID) })
	return rows
}

// briefOf returns an entity of the project. It returns nil for the root and for unknown
// ids.
func (s *Server) briefOf(project, root, id string) *brief {
	e, ok := s.find(project, id)
	if !ok || id == root {
		return nil
	}
	return &brief{e.ID, e.EntityType, e.Title, e.Slug, e.Status}
}
