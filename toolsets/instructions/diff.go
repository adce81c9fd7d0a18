package instructions

import (
	"context"
	"strings"
	"sync"
	"unsafe"

	"instruction-catalog/catalog"
	"instruction-catalog/jsonscan"
	"instruction-catalog/rpc"
)

type diffParams struct {
	ClientHash catalog.Fingerprint `json:"clientHash"`
	Known      *[]catalog.Known    `json:"known"`
}

// UnmarshalJSON implements [json.Unmarshaler] for params that fit the schema: a
// client may know the whole catalog. What it knows is read where it stands, and
// must have been answered before the text may change.
func (p *diffParams) UnmarshalJSON(text []byte) error {
	s := jsonscan.New(text)
	for name := range s.Members() {
		switch string(name) {
		case "clientHash":
			p.ClientHash = catalog.Fingerprint(s.Text())
		case "known":
			p.release()
			p.Known = readKnown(s)
		default:
			s.Skip()
		}
	}
	return nil
}

// lists are of what clients know, and lie ready to be used again: one is as large
// as a third of the text that it was read from.
var lists = sync.Pool{New: func() any { return &[]catalog.Known{} }}

// readKnown reads the array that comes next.
func readKnown(s *jsonscan.Scanner) *[]catalog.Known {
	list := lists.Get().(*[]catalog.Known)
	for range s.Elements() {
		var k catalog.Known
		for name := range s.Members() {
			switch string(name) {
			case "id":
				k.ID = catalog.ID(shared(s.Text()))
			case "sourceHash":
				k.SourceHash = catalog.Fingerprint(shared(s.Text()))
			default:
				s.Skip()
			}
		}
		*list = append(*list, k)
	}
	return list
}

// release gives the list of what the client knows back.
func (p *diffParams) release() {
	if p.Known != nil {
		clear(*p.Known)
		*p.Known = (*p.Known)[:0]
		lists.Put(p.Known)
		p.Known = nil
	}
}

// shared returns bytes as a string in the same memory.
func shared(text []byte) string { return unsafe.String(unsafe.SliceData(text), len(text)) }

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
		defer p.release()
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
	removed := make([]catalog.ID, len(changes.Removed))
	for i, id := range changes.Removed {
		removed[i] = catalog.ID(strings.Clone(string(id))) // the answer may outlive the text
	}
	return diffResult{
		Hash:    s.Hash(),
		Added:   t.items(changes.Added, nil),
		Updated: t.items(changes.Updated, nil),
		Removed: &removed,
	}
}
