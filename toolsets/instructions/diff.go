package instructions

import (
	"context"

	"instruction-catalog/catalog"
	"instruction-catalog/rpc"
	"instruction-catalog/schemas/jsonscan"
)

// diffParams are the text of the params: a client may know the whole catalog, and
// what it knows is compared where it stands. They must have been answered before
// the text may change.
type diffParams struct {
	text  []byte
	heard *knownReader // nil where the array has not been read yet
}

// Shape implements [rpc.Shaped].
func (diffParams) Shape() any {
	return struct {
		ClientHash catalog.Fingerprint `json:"clientHash"`
		Known      []catalog.Known     `json:"known"`
	}{}
}

// UnmarshalJSON implements [json.Unmarshaler] for params that fit the schema.
func (p *diffParams) UnmarshalJSON(text []byte) error {
	p.text = text
	return nil
}

// Hear tells who has read what the client knows; see [rpc.Method].
func (p *diffParams) Hear(l rpc.Listener) { p.heard, _ = l.(*knownReader) }

// compare returns the hash that the client has, and what it has to change,
// nothing where it does not say what it knows.
func (p *diffParams) compare(with *catalog.Snapshot) (clientHash catalog.Fingerprint, changes *catalog.Changes) {
	s := jsonscan.New(p.text)
	for name := range s.Members() {
		switch string(name) {
		case "clientHash":
			clientHash = catalog.Fingerprint(s.Text())
		case "known":
			changes = p.compareKnown(s, with)
		default:
			s.Skip()
		}
	}
	return clientHash, changes
}

// compareKnown reads the array that comes next, unless that has been done.
func (p *diffParams) compareKnown(s *jsonscan.Scanner, with *catalog.Snapshot) *catalog.Changes {
	if h := p.heard; h != nil && h.snapshot == with && s.SkipText(h.array) {
		return h.changes()
	}
	r := &knownReader{snapshot: with}
	for range s.Elements() {
		if !s.SkipText(r.expected()) {
			r.Element(s.Raw())
			continue
		}
		r.comparison.AsExpected()
	}
	return r.changes()
}

// diffResult has one of three forms: up to date; everything, for a client that
// does not say what it knows; or the changes to what it knows.
type diffResult struct {
	UpToDate bool                `json:"upToDate,omitempty"`
	Hash     catalog.Fingerprint `json:"hash"`
	Changed  *items              `json:"changed,omitempty"`
	Added    *items              `json:"added,omitempty"`
	Updated  *items              `json:"updated,omitempty"`
	Removed  *[]catalog.ID       `json:"removed,omitempty"`
}

func (t *Toolset) diff() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/diff",
		Title:   "Compare with a known catalog",
		Summary: "What a client has to change to hold the catalog.",
		Doc: "With `known`, the exact changes: entries to add, entries to replace (their `sourceHash` differs), ids to " +
			"remove, each in id order; entries that `known` does not name are added; of an id named twice the first " +
			"counts. Nothing to change gives three empty arrays, or `upToDate` where `clientHash` matches too. Without " +
			"`known`, `upToDate` where `clientHash` matches, else every entry as `changed`.",
		Since: "1.0", Stability: rpc.Stable, Effect: rpc.Reads,
		Listen: t.listen,
	}, func(ctx context.Context, p diffParams) (diffResult, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return diffResult{}, err
		}
		clientHash, changes := p.compare(s)
		if changes == nil {
			return t.diffByHash(s, clientHash), nil
		}
		return t.diffByEntry(s, clientHash, changes), nil
	}, nil)
}

func (t *Toolset) diffByHash(s *catalog.Snapshot, clientHash catalog.Fingerprint) diffResult {
	if clientHash == s.Hash() {
		return diffResult{UpToDate: true, Hash: s.Hash()}
	}
	return diffResult{Hash: s.Hash(), Changed: t.items(s.Entries(), nil)}
}

func (t *Toolset) diffByEntry(s *catalog.Snapshot, clientHash catalog.Fingerprint, changes *catalog.Changes) diffResult {
	if changes.Empty() && clientHash == s.Hash() {
		return diffResult{UpToDate: true, Hash: s.Hash()}
	}
	removed := append([]catalog.ID{}, changes.Removed...) // [] in JSON, and not null
	return diffResult{
		Hash:    s.Hash(),
		Added:   t.items(changes.Added, nil),
		Updated: t.items(changes.Updated, nil),
		Removed: &removed,
	}
}
