package instructions

import (
	"context"
	"errors"

	"instruction-catalog/governance/review"
	"instruction-catalog/rpc"
)

type reviewParams struct {
	Prompt string `json:"prompt"`
}

func (t *Toolset) review() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "prompt/review",
		Title:   "Review a prompt",
		Summary: "Check a prompt for secrets and other risks, before you send or keep it.",
		Doc: "One issue per rule that the prompt breaks, with the first text that matched. `highestSeverity` of no " +
			"issue is `info`. Null bytes are taken out before; `length` is the number of bytes that were reviewed. A " +
			"prompt of more than 10,240 bytes is an error, −32602 with `data: {max, length}`: it was not reviewed.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads, Tool: reviewTool,
	}, func(_ context.Context, p reviewParams) (review.Result, error) { return t.reviewed(p.Prompt) },
		func(_ reviewParams, r review.Result) string { return reviewText(r) })
}

// reviewed holds a prompt against the criteria in force.
func (t *Toolset) reviewed(prompt string) (review.Result, error) {
	criteria, err := t.config.Criteria()
	if err != nil {
		return review.Result{}, rpc.Failed(err.Error())
	}
	result, err := criteria.Review(prompt)
	if long, ok := errors.AsType[*review.TooLong](err); ok {
		return review.Result{}, &rpc.Error{
			Code: rpc.InvalidParams, Message: "invalid params: prompt: " + long.Error(), Data: long,
		}
	}
	return result, err
}
