package fakebackend

import (
	"cmp"
	"net/http"
	"regexp"
	"strings"
	"time"
)

func newest(aTime, bTime Time, aID, bID string) int {
	return cmp.Or(bTime.Compare(aTime.Time), cmp.Compare(bID, aID))
}

func (s *Server) projects(w http.ResponseWriter, r *http.Request) {
	page(w, r, s.data.Projects,
		func(a, b Project) int { return cmp.Compare(a.Slug, b.Slug) },
		func(Project) bool { return true })
}

func (s *Server) entities(w http.ResponseWriter, r *http.Request, project string) {
	search, ok := like(w, r.FormValue("search"))
	if !ok {
		return
	}
	is := func(param, value string) bool { return r.FormValue(param) == "" || r.FormValue(param) == value }
	page(w, r, s.data.Entities,
		func(a, b Entity) int { return newest(a.CreatedAt, b.CreatedAt, a.ID, b.ID) },
		func(e Entity) bool {
			return strings.EqualFold(e.ProjectID, project) && is("entityType", e.EntityType) && is("status", e.Status) &&
				(r.FormValue("conceptKind") == "" || e.ConceptKind != nil && is("conceptKind", *e.ConceptKind)) &&
				(search.MatchString(e.Title) || search.MatchString(e.Slug))
		})
}

func (s *Server) relationships(w http.ResponseWriter, r *http.Request, project string) {
	is := func(param, value string) bool { return r.FormValue(param) == "" || r.FormValue(param) == value }
	page(w, r, s.data.Relations,
		func(a, b Relation) int { return newest(a.CreatedAt, b.CreatedAt, a.ID, b.ID) },
		func(l Relation) bool {
			return strings.EqualFold(l.ProjectID, project) && is("fromEntityId", l.FromEntityID) && is("toEntityId", l.ToEntityID) &&
				is("relationType", l.RelationType) && (is("entityId", l.FromEntityID) || is("entityId", l.ToEntityID))
		})
}

func (s *Server) performances(w http.ResponseWriter, r *http.Request, project string) {
	query, ok := like(w, r.FormValue("query"))
	if !ok {
		return
	}
	url, ok := like(w, r.FormValue("pageUrl"))
	start, end := date(r.FormValue("dateStart")), date(r.FormValue("dateEnd"))
	if !ok || start == nil || end == nil {
		refuse(w, http.StatusBadRequest, "dateStart must be a valid ISO date string")
		return
	}
	page(w, r, s.data.Performances, byDates, func(p Performance) bool {
		return strings.EqualFold(p.ProjectID, project) && query.MatchString(p.Query) && url.MatchString(p.PageURL) &&
			(r.FormValue("entityId") == "" || p.EntityID != nil && *p.EntityID == r.FormValue("entityId")) &&
			(start.IsZero() || !p.DateStart.Before(*start)) && (end.IsZero() || !p.DateEnd.After(*end))
	})
}

func byDates(a, b Performance) int {
	return cmp.Or(b.DateStart.Compare(a.DateStart.Time), b.DateEnd.Compare(a.DateEnd.Time),
		cmp.Compare(a.Query, b.Query), cmp.Compare(a.PageURL, b.PageURL), cmp.Compare(b.ID, a.ID))
}

func (s *Server) blocks(w http.ResponseWriter, r *http.Request, project string) {
	tag, ok := like(w, r.FormValue("topicTag"))
	if !ok {
		return
	}
	before, after := date(r.FormValue("verifiedUntilBefore")), date(r.FormValue("verifiedUntilAfter"))
	if before == nil || after == nil {
		refuse(w, http.StatusBadRequest, "verifiedUntilBefore must be a valid ISO date string")
		return
	}
	is := func(param, value string) bool { return r.FormValue(param) == "" || r.FormValue(param) == value }
	page(w, r, s.data.Blocks,
		func(a, b Block) int { return newest(a.CreatedAt, b.CreatedAt, a.ID, b.ID) },
		func(b Block) bool {
			return strings.EqualFold(b.ProjectID, project) && is("entityId", b.EntityID) && is("claimType", b.ClaimType) &&
				(r.FormValue("topicTag") == "" || b.TopicTag != nil && tag.MatchString(*b.TopicTag)) &&
				(before.IsZero() || b.VerifiedUntil != nil && !b.VerifiedUntil.After(*before)) &&
				(after.IsZero() || b.VerifiedUntil != nil && !b.VerifiedUntil.Before(*after))
		})
}

// date parses a date. It returns the zero time for "" and nil for an invalid date. Like
// the real backend, it accepts days up to 31 of any month in a timestamp.
func date(text string) *time.Time {
	if text == "" {
		return &time.Time{}
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return &day
	}
	m := regexp.MustCompile(`^(\d{4}-\d\d-)(\d\d)(T\d\d:\d\d:\d\d(?:\.\d{1,3})?Z)$`).FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	first, err := time.Parse(time.RFC3339Nano, m[1]+"01"+m[3])
	if err != nil || m[2] > "31" {
		return nil
	}
	days := int(m[2][0]-'0')*10 + int(m[2][1]-'0') - 1
	at := first.AddDate(0, 0, days)
	return &at
}

// like converts a text to a regexp that matches like PostgreSQL's ILIKE '%text%', with
// wildcards.
func like(w http.ResponseWriter, text string) (*regexp.Regexp, bool) {
	if strings.ContainsRune(text, 0) {
		refuse(w, http.StatusInternalServerError, "Internal server error")
		return nil, false
	}
	var pattern strings.Builder
	pattern.WriteString("(?is)")
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			pattern.WriteString(regexp.QuoteMeta(string(r)))
			escaped = false
		case r == '\\':
			escaped = true
		case r == '%':
			pattern.WriteString(".*")
		case r == '_':
			pattern.WriteByte('.')
		default:
			pattern.WriteString(regexp.QuoteMeta(string(r)))
		}
	}
	return regexp.MustCompile(pattern.String()), true
}
