package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
)

type getParams struct {
	ID string `json:"id"`
}

type getResult struct {
	Hash     catalog.Fingerprint `json:"hash,omitempty"`
	Item     *item               `json:"item,omitempty"`
	NotFound bool                `json:"notFound,omitempty"`
}

func (t *Toolset) get() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/get",
		Title:   "Get an instruction",
		Summary: "One entry by its id.",
		Doc: "Where the id was normalised on reading (capitals, dots), the spelling of the file finds the entry too. " +
			"An id that is not there is no error: the result is `{notFound: true}`.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
	}, func(ctx context.Context, p getParams) (getResult, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return getResult{}, err
		}
		e, ok := s.Get(p.ID)
		if !ok {
			return getResult{NotFound: true}, nil
		}
		return getResult{Hash: s.Hash(), Item: &item{entry: e, use: t.uses.Of(e)}}, nil
	})
}
