package v1

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"golang.org/x/sync/errgroup"

	"instruction-catalog/toolsets/entities"
)

// maxRows is the maximum number of rows to read for sorting.
const maxRows = 10_000

var errTooMany = errors.New("the backend has more than 10,000 rows")

// rows collects the distinct rows of a list in the order received.
type rows[T any] struct {
	list  []T
	known map[entities.ID]bool
	id    func(T) entities.ID
}

// collect reads all pages of a list, at most atATime concurrently. It removes
// duplicates, since rows can move between pages while it reads. It fails if there are
// more than maxRows rows or if the backend repeats a page.
func collect[T any](ctx context.Context, atATime int, id func(T) entities.ID, read func(context.Context, entities.PageRequest) (entities.Page[T], error)) ([]T, error) {
	r := rows[T]{list: []T{}, known: map[entities.ID]bool{}, id: id}
	for next, pages := 1, 1; next <= pages; {
		batch := make([]entities.Page[T], pages-next+1)
		reads, readCtx := errgroup.WithContext(ctx)
		reads.SetLimit(atATime)
		for i := range batch {
			reads.Go(func() (err error) {
				batch[i], err = read(readCtx, entities.PageRequest{Page: next + i, Limit: entities.MaxLimit})
				return err
			})
		}
		if err := reads.Wait(); err != nil {
			return nil, err
		}
		next += len(batch)
		for _, page := range batch {
			if err := r.add(page); err != nil {
				return nil, err
			}
			pages = max(pages, page.Pages())
		}
	}
	return r.list, nil
}

func (r *rows[T]) add(page entities.Page[T]) error {
	if page.Total > maxRows {
		return errTooMany
	}
	before := len(r.list)
	for _, row := range page.Rows {
		if id := r.id(row); !r.known[id] {
			r.known[id] = true
			r.list = append(r.list, row)
		}
	}
	if len(page.Rows) > 0 && len(r.list) == before {
		return errors.New("the backend repeats a page")
	}
	return nil
}

// compareText compares two texts in lower case, by code points.
func compareText(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) }
