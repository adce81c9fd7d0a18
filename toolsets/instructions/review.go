package instructions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/review"
	"instruction-catalog/rpc"
)

// reviewTime is the time limit for a review. Criteria within their cost limits need only
// a fraction of it for any prompt.
const reviewTime = 5 * time.Second

type reviewParams struct {
	Prompt string `json:"prompt"`
	Detail bool   `json:"detail"`
}

func (t *Toolset) review() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "prompt/review",
		Title:   "Review a prompt",
		Summary: "Check a prompt for secrets and other risks, before you send or keep it.",
		Doc: "One issue per rule that the prompt breaks, with the first text that matched; of what a rule of the " +
			"category `secrets` found, its first and last characters only. With `detail`, `spans` are all places where " +
			"it was found, in bytes, and `criteria` names where the rules come from. The prompt is reviewed as it stands, without invisible characters in the normal " +
			"form NFKC, and, by the built-in criteria, as it is rendered: without the markup of Markdown and HTML, with " +
			"entities and escapes decoded. An issue is less severe, by the built-in criteria, where the prompt quotes, describes or forbids what was found. " +
			"`highestSeverity` of no issue is `info`. Null bytes are taken out before; `length` is the number " +
			"of bytes that were reviewed. A prompt of more than 10,240 bytes is an error, −32602 with " +
			"`data: {max, length}`: it was not reviewed. So is one that takes more than five seconds, which says that " +
			"the criteria have to be mended.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads, Lane: rpc.Concurrent, Tool: reviewTool,
	}, t.reviewed, func(_ reviewParams, r review.Result) string { return reviewText(r) })
}

// reviewed reviews a prompt against the criteria in force.
func (t *Toolset) reviewed(ctx context.Context, p reviewParams) (review.Result, error) {
	via := rpc.CallerOf(ctx).Via
	bare := via == rpc.Bare || via == rpc.InProcess
	criteria, err := t.config.Criteria(func() (source.Criteria, error) { return t.ownCriteria(ctx) }, bare)
	if failure, ok := errors.AsType[*rpc.Error](err); ok {
		return review.Result{}, failure
	}
	if err != nil {
		return review.Result{}, rpc.Failed(err.Error())
	}
	timed, cancel := context.WithTimeout(ctx, reviewTime)
	defer cancel()
	result, err := criteria.Review(timed, p.Prompt, p.Detail)
	long, isLong := errors.AsType[*review.TooLong](err)
	cost, isCostly := errors.AsType[*review.CostError](err)
	switch {
	case isCostly:
		return review.Result{}, rpc.Failed(cost.Error())
	case isLong:
		return review.Result{}, &rpc.Error{
			Code: rpc.InvalidParams, Message: "invalid params: prompt: " + long.Error(), Data: long,
		}
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return review.Result{}, rpc.Failed(fmt.Sprintf(
			"the review took longer than %s and was given up: nothing is known of the prompt; the criteria cost too much, mend them", reviewTime))
	}
	if p.Detail || !bare {
		result.Criteria = criteria.Names()
	}
	return result, err
}

// ownCriteria returns the criteria of the catalog. If the server requires a signature,
// it returns those that were signed with the catalog.
func (t *Toolset) ownCriteria(ctx context.Context) (source.Criteria, error) {
	if t.signed == nil {
		return t.source.Criteria()
	}
	if _, err := t.snapshot(ctx); err != nil {
		return source.Criteria{}, err
	}
	beside, err := t.beside()
	return beside.Criteria, err
}
