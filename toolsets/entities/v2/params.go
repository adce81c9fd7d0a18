package v2

import (
	"regexp"
	"slices"
	"strings"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
)

// pageParams are the params that select a page. Every list has them.
type pageParams struct {
	Page  *rpc.Integer `json:"page"`
	Limit *rpc.Integer `json:"limit"`
}

// request returns the requested page. The schema has already checked the bounds.
func (p pageParams) request() entities.PageRequest {
	r := entities.PageRequest{Page: 1, Limit: 20}
	if p.Page != nil {
		r.Page = int(*p.Page)
	}
	if p.Limit != nil {
		r.Limit = int(*p.Limit)
	}
	return r
}

// optionalID parses an optional UUID. It returns "" if text is nil.
func optionalID(param string, text *string) (entities.ID, error) {
	if text == nil {
		return "", nil
	}
	return entities.ParseID(param, *text)
}

// dateOnly and utcTimestamp match the two forms of a date. They do not check that the
// day and the time exist.
var (
	dateOnly     = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	utcTimestamp = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$`)
)

// date parses an optional date. It returns the zero time if text is nil.
func date(param string, text *string) (time.Time, error) {
	if text == nil {
		return time.Time{}, nil
	}
	layout := time.DateOnly
	if utcTimestamp.MatchString(*text) {
		layout = time.RFC3339Nano
	} else if !dateOnly.MatchString(*text) {
		return time.Time{}, entities.BadParam(param, "must be a date such as 2025-02-20, or a UTC timestamp such as 2025-02-20T14:30:00.000Z")
	}
	at, err := time.Parse(layout, *text)
	if err != nil {
		return time.Time{}, entities.BadParam(param, "must be a day and a time that exist")
	}
	return at, nil
}

// relationTypes parses a comma-separated list. An empty text means all types.
func relationTypes(param, csv string) ([]entities.RelationType, error) {
	if csv == "" {
		return nil, nil
	}
	var types []entities.RelationType
	for text := range strings.SplitSeq(csv, ",") {
		t := entities.RelationType(text)
		if !slices.Contains(entities.RelationTypes, t) {
			return nil, entities.BadParam(param, "%q is not one of the types, separated by commas without spaces: %s",
				rpc.Shorten(text, 60), strings.Join(names(entities.RelationTypes), ", "))
		}
		types = append(types, t)
	}
	return types, nil
}

func names(types []entities.RelationType) []string {
	texts := make([]string, len(types))
	for i, t := range types {
		texts[i] = string(t)
	}
	return texts
}

// value returns *text, or "" if text is nil.
func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
