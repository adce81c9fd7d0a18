package v2

import (
	"context"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
)

type blockParams struct {
	pageParams
	ProjectID           string             `json:"projectId"`
	EntityID            *string            `json:"entityId"`
	ClaimType           entities.ClaimType `json:"claimType"`
	TopicTag            string             `json:"topicTag"`
	VerifiedUntilBefore *string            `json:"verifiedUntilBefore"`
	VerifiedUntilAfter  *string            `json:"verifiedUntilAfter"`
}

// filter validates the params and converts them to a filter.
func (p blockParams) filter() (project entities.ID, f entities.BlockFilter, err error) {
	f = entities.BlockFilter{
		ClaimType: p.ClaimType, TopicTag: p.TopicTag,
		VerifiedUntilBefore: value(p.VerifiedUntilBefore), VerifiedUntilAfter: value(p.VerifiedUntilAfter),
	}
	if project, err = entities.ParseID("projectId", p.ProjectID); err != nil {
		return project, f, err
	}
	if f.EntityID, err = optionalID("entityId", p.EntityID); err != nil {
		return project, f, err
	}
	if err = entities.CheckText("topicTag", p.TopicTag); err != nil {
		return project, f, err
	}
	if _, err = date("verifiedUntilBefore", p.VerifiedUntilBefore); err != nil {
		return project, f, err
	}
	_, err = date("verifiedUntilAfter", p.VerifiedUntilAfter)
	return project, f, err
}

type block struct {
	ID             string  `json:"id"`
	ProjectID      string  `json:"projectId"`
	EntityID       string  `json:"entityId"`
	Text           string  `json:"text"`
	ClaimType      string  `json:"claimType"`
	SourceCitation *string `json:"sourceCitation"`
	VerifiedUntil  *string `json:"verifiedUntil"`
	TopicTag       *string `json:"topicTag"`
	CreatedAt      string  `json:"createdAt"`
	UpdatedAt      string  `json:"updatedAt"`
}

func newBlock(b entities.QuotableBlock) block {
	return block{
		ID:             string(b.ID),
		ProjectID:      string(b.ProjectID),
		EntityID:       string(b.EntityID),
		Text:           b.Text,
		ClaimType:      string(b.ClaimType),
		SourceCitation: b.SourceCitation,
		VerifiedUntil:  b.VerifiedUntil.Text(),
		TopicTag:       b.TopicTag,
		CreatedAt:      b.CreatedAt.String(),
		UpdatedAt:      b.UpdatedAt.String(),
	}
}

func (t *toolset) listQuotableBlocks() rpc.Method {
	return entities.Declare(t.contract, "list_quotable_blocks", rpc.Method{
		Title:   "List quotable blocks",
		Summary: "List quotable citation blocks for GEO optimization within a project.",
		Doc:     "Sorted by `createdAt`, then `id`, descending. The bounds on `verifiedUntil` are inclusive, and leave out blocks without one.",
	}, func(ctx context.Context, p blockParams) (page[block], error) {
		project, f, err := p.filter()
		if err != nil {
			return page[block]{}, err
		}
		return pageOf(newBlock)(t.backend.QuotableBlocks(ctx, project, f, p.request()))
	})
}
