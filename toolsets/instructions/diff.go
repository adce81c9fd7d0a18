package instructions

import (
	"context"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/jsonscan"
	"instruction-catalog/rpc"
)

type diffParams struct {
	ClientHash catalog.Fingerprint `json:"clientHash"`
	Known      *[]catalog.Known    `json:"known"`
}

// UnmarshalJSON implements [json.Unmarshaler] for params that fit the schema: a
// client may know the whole catalog.
func (p *diffParams) UnmarshalJSON(text []byte) error {
	s := jsonscan.New(text)
	for name := range s.Members() {
		switch string(name) {
		case "clientHash":
			p.ClientHash = catalog.Fingerprint(s.Text())
		case "known":
			known := readKnown(s, len(text)-s.Offset())
			p.Known = &known
		default:
			s.Skip()
		}
	}
	return nil
}

// usualKnown is the length of the shortest element of known that is of use, in
// bytes: its fingerprint alone has 64.
const usualKnown = len(`{"id":"a","sourceHash":""},`) + 64

// readKnown reads the array that comes next, in at most size bytes. All strings
// of it share one piece of memory.
func readKnown(s *jsonscan.Scanner, size int) []catalog.Known {
	var texts strings.Builder
	texts.Grow(size)
	keep := func(text []byte) string {
		from := texts.Len()
		texts.Write(text)
		return texts.String()[from:]
	}
	known := make([]catalog.Known, 0, size/usualKnown)
	for range s.Elements() {
		var k catalog.Known
		for name := range s.Members() {
			switch string(name) {
			case "id":
				k.ID = catalog.ID(keep(s.Text()))
			case "sourceHash":
				k.SourceHash = catalog.Fingerprint(keep(s.Text()))
			default:
				s.Skip()
			}
		}
		known = append(known, k)
	}
	return known
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
	}, func(ctx context.Context, p diffParams) (diffResult, error) {
		s, err := t.snapshot(ctx)
		if err != nil {
			return diffResult{}, err
		}
		if p.Known == nil {
			return t.diffByHash(s, p.ClientHash), nil
		}
		return t.diffByEntry(s, p.ClientHash, *p.Known), nil
	})
}

func (t *Toolset) diffByHash(s *catalog.Snapshot, clientHash catalog.Fingerprint) diffResult {
	if clientHash == s.Hash() {
		return diffResult{UpToDate: true, Hash: s.Hash()}
	}
	return diffResult{Hash: s.Hash(), Changed: t.items(s.Entries(), nil)}
}

func (t *Toolset) diffByEntry(s *catalog.Snapshot, clientHash catalog.Fingerprint, known []catalog.Known) diffResult {
	changes := s.Diff(known)
	if changes.Empty() && clientHash == s.Hash() {
		return diffResult{UpToDate: true, Hash: s.Hash()}
	}
	removed := append([]catalog.ID{}, changes.Removed...)
	return diffResult{
		Hash:    s.Hash(),
		Added:   t.items(changes.Added, nil),
		Updated: t.items(changes.Updated, nil),
		Removed: &removed,
	}
}
