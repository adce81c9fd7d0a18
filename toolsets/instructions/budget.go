package instructions

import (
	"context"

	"instruction-catalog/rpc"
)

// withinBudget returns a page that keeps to the budget of the call: as long as
// it does not, it is asked for again when shorten has made it shorter. Shorten
// returns false when it cannot.
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
