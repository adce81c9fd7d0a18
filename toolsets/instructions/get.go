package instructions

import (
	"context"
	"fmt"

	"instruction-catalog/catalog"
	"instruction-catalog/governance/sum"
	"instruction-catalog/rpc"
)

type getParams struct {
	ID         string       `json:"id"`
	BodyOffset *rpc.Integer `json:"bodyOffset"`
	BodyLimit  *rpc.Integer `json:"bodyLimit"`
	Nearest    bool         `json:"nearest"`

	Fields   []catalog.Field `json:"fields"`
	Revision bool            `json:"revision"`
	Proof    bool            `json:"proof"`
}

type getResult struct {
	Hash       catalog.Fingerprint `json:"hash,omitempty"`
	Revision   catalog.Fingerprint `json:"revision,omitempty"` // set if requested
	Item       *item               `json:"item,omitempty"`
	BodyLength int                 `json:"bodyLength,omitempty"` // set if a part of the body was requested
	Proof      *sum.Proof          `json:"proof,omitempty"`      // set if requested
	NotFound   bool                `json:"notFound,omitempty"`
	Nearest    []string            `json:"nearest,omitempty"` // set if requested

	instead func() []string // the nearest ids, for the text form
}

// EncodeJSON implements rpc.Encoder.
func (r getResult) EncodeJSON() rpc.JSON {
	var o rpc.Object
	if r.NotFound {
		o.Add("notFound", true)
		if len(r.Nearest) > 0 {
			o.Add("nearest", r.Nearest)
		}
		return o.JSON()
	}
	addHashes(&o, r.Hash, r.Revision)
	o.Add("item", r.Item)
	if r.BodyLength > 0 {
		o.Add("bodyLength", r.BodyLength)
	}
	if r.Proof != nil {
		o.Add("proof", r.Proof)
	}
	return o.JSON()
}

func (t *Toolset) get() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/get",
		Title:   "Get an instruction",
		Summary: "Read an instruction by its id, before you act on an excerpt from a search or a list.",
		Doc: "If the id was normalised on reading (capitals, dots), the spelling in the file finds the entry, too. " +
			"An unknown id is not an error: the result is `{notFound: true}`. Since 1.4, that result has the " +
			"`nearest` ids if they are requested and any id is near, and the id may be written as the URI of the " +
			"entry's resource, `instruction://ID`. Since 1.1, " +
			"`bodyOffset` and `bodyLimit` serve a part of the body, in characters, which are Unicode code points; " +
			"`bodyLength` is then the length of the whole body. `sourceHash` is always that of the whole body. An offset at " +
			"or beyond the end is -32602. Since 1.4, `fields` serves only the " +
			"named fields, as in instructions/list, and with `revision` the answer has the `revision` of the catalog. " +
			"Since 1.4, with `proof` the answer has the proof that the entry is in a signed catalog: a client that has the " +
			"public key checks `{item, proof}` offline, as `catalog check-proof` does, with the whole item. If the catalog " +
			"is not signed, or has changed since, the result is the error -32006.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads, Tool: getTool,
	}, func(ctx context.Context, p getParams) (getResult, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return getResult{}, err
		}
		e, ok := find(s, p.ID)
		if !ok {
			return p.notFound(s), nil
		}
		part, length, err := p.part(e)
		if err != nil {
			return getResult{}, err
		}
		result := getResult{Hash: s.Hash(), Item: &item{from: s, entry: part, use: t.uses.Of(e), fields: p.Fields}, BodyLength: length}
		if p.Revision {
			result.Revision = s.Revision()
		}
		if p.Proof {
			if result.Proof, err = t.prove(e); err != nil {
				return getResult{}, err
			}
		}
		return result, nil
	}, getText)
}

// notFound returns the result for an unknown id.
func (p getParams) notFound(s *catalog.Snapshot) getResult {
	r := getResult{NotFound: true, instead: func() []string { return nearestIDs(s, p.ID) }}
	if p.Nearest {
		r.Nearest = r.instead()
	}
	return r
}

// part returns the entry with the requested part of its body, and the length of the
// whole body. If no part was requested, it returns e unchanged and 0.
func (p getParams) part(e *catalog.Entry) (*catalog.Entry, int, error) {
	if p.BodyOffset == nil && p.BodyLimit == nil {
		return e, 0, nil
	}
	var offset, limit rpc.Integer
	if p.BodyOffset != nil {
		offset = *p.BodyOffset
	}
	if p.BodyLimit != nil {
		limit = *p.BodyLimit
	}
	length := e.Body.Length()
	if offset >= rpc.Integer(length) {
		return nil, 0, rpc.BadParam("bodyOffset", fmt.Sprintf("must be less than %d, the length of the body in characters", length))
	}
	return e.Part(int(offset), int(limit)), length, nil
}
