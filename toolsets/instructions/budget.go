package instructions

import (
	"context"

	"instruction-catalog/rpc"
)

// withinBudget calls page until the encoded answer fits the budget of the call. After
// each answer that is too large it calls shorten. If shorten returns false, withinBudget
// returns the last page.
func withinBudget[R any](ctx context.Context, page func() (R, error), text func(R) string, shorten func() bool) (R, error) {
	for budget := rpc.BudgetOf(ctx); ; {
		result, err := page()
		if err != nil || budget == 0 {
			return result, err
		}
		encoded, err := rpc.Encode(result)
		if err != nil || (rpc.Answer{Result: encoded, Text: text(result)}).Size() <= budget || !shorten() {
			return result, err
		}
	}
}
