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

// pageOf returns a function that converts a page from the backend, using render for each
// row.
func pageOf[Row, T any](render func(Row) T) func(entities.Page[Row], error) (page[T], error) {
	return func(p entities.Page[Row], err error) (page[T], error) {
		if err != nil {
			return page[T]{}, err
		}
		data := make([]T, len(p.Rows))
		for i, row := range p.Rows {
			data[i] = render(row)
		}
		return page[T]{data, pagination{p.Page, p.Limit, p.Total, p.HasMore()}}, nil
	}
}
