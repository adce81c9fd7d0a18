package v2

import "instruction-catalog/toolsets/entities"

// page is the envelope of a list.
type page[T any] struct {
	Data       []T        `json:"data"`
	Pagination pagination `json:"pagination"`
}

type pagination struct {
	Page    int  `json:"page"`
	Limit   int  `json:"limit"`
	Total   int  `json:"total"`
	HasMore bool `json:"hasMore"`
}

// newPage renders every row of a page.
func newPage[Row, T any](p entities.Page[Row], render func(Row) T) page[T] {
	data := make([]T, len(p.Rows))
	for i, row := range p.Rows {
		data[i] = render(row)
	}
	return page[T]{data, pagination{p.Page, p.Limit, p.Total, p.HasMore()}}
}

// text returns the text of a moment that may be none.
func text(t *entities.Timestamp) *string {
	if t == nil {
		return nil
	}
	s := t.String()
	return &s
}
