package instructions

import (
	"context"

	"instruction-catalog/rpc"
)

// withinBudget returns a page that keeps to the budget of the call: as long as
// it does not, it is asked for again with half the limit.
func withinBudget[R any](ctx context.Context, limit *rpc.Integer, page func() (R, error), text func(R) string) (R, error) {
	for budget := rpc.BudgetOf(ctx); ; *limit /= 2 {
		result, err := page()
		if err != nil || budget == 0 || *limit <= 1 {
			return result, err
		}
		encoded, err := rpc.Encode(result)
		if err != nil || (rpc.Answer{Result: encoded, Text: text(result)}).Size() <= budget {
			return result, err
		}
	}
}
