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
		Doc: "The result has one issue per rule that the prompt breaks, with the first match. For a rule of the " +
			"category `secrets` it shows only the first and last characters of the match. With `detail`, `spans` are all matches, " +
			"in bytes, and `criteria` names the sources of the rules. The prompt is reviewed as given, in the normal form NFKC " +
			"without invisible characters, and, by the built-in criteria, as rendered: without the markup of Markdown and HTML, and with " +
			"entities and escapes decoded. By the built-in criteria, an issue is less severe if the prompt quotes, describes or forbids the match. " +
			"Without issues, `highestSeverity` is `info`. Null bytes are removed first; `length` is the number " +
			"of bytes that were reviewed. A prompt of more than 10,240 bytes is not reviewed: the result is the error −32602 with " +
			"`data: {max, length}`. A review that takes more than five seconds is an error, too: it says that " +
			"the criteria must be corrected.",
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
			"the review took longer than %s and was stopped, so the prompt was not reviewed: the criteria are too slow, correct them", reviewTime))
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
	metadata, err := t.metadata()
	return metadata.Criteria, err
}
