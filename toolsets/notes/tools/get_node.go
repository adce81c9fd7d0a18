package tools

import (
	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/notes"
)

// maxContext is the maximum number of neighbours returned with a note.
const maxContext = 20

type nodeParams struct {
	ID            string       `json:"id"`
	Depth         rpc.Integer  `json:"depth"`
	ContentOffset *rpc.Integer `json:"contentOffset"`
	ContentLimit  *rpc.Integer `json:"contentLimit"`
}

// maxOutline is the maximum number of headings returned with a note whose content is
// cut.
const maxOutline = 200

// nodeWithContext is a note and, at depth 1, its neighbours.
type nodeWithContext struct {
	node
	Outline []heading `json:"outline,omitempty"`
	Hash    string    `json:"hash,omitempty"`
	*nodeContext
	Warnings []string `json:"_warnings,omitempty"`
}

type nodeContext struct {
	IncomingCount int        `json:"incomingCount"`
	OutgoingCount int        `json:"outgoingCount"`
	Neighbors     []neighbor `json:"neighbors"`
}

type neighbor struct {
	node
	Direction notes.Direction `json:"direction"`
}

func (t *toolset) getNode() rpc.Method {
	return declare(t, "get_node", rpc.Method{
		Title:   "Read a note",
		Summary: "Retrieve single node with optional neighbor context.",
		Doc: "An ID that is spelled in another case or Unicode form is found where it is not ambiguous; one that names no node is " +
			"tried as a wikilink. A node that does not exist is `null`. Content is at most 10,000 characters long, that of neighbours 200. A longer one is read in parts: " +
			"`contentOffset` and `contentLimit` choose one, which does not end with \"... [truncated]\"; `nextOffset` is where the next " +
			"one begins, `contentLength` the length of all, and `outline` tells where headings are. `hash` is that of the file; " +
			"`_warnings` are told once after each change of the note.",
	}, func(s *notes.Snapshot, p nodeParams) (*optional[nodeWithContext], error) {
		n, err := findOrNamed(s, p.ID)
		if err != nil {
			return nil, err
		}
		if n == nil {
			return &optional[nodeWithContext]{nearest: s.Nearest(p.ID)}, nil
		}
		result := &nodeWithContext{Hash: n.Hash(), Warnings: capped(t.told.news(s, n))}
		if p.ContentOffset != nil || p.ContentLimit != nil {
			result.node = t.newPart(s, n, orDefault(p.ContentOffset, 0), orDefault(p.ContentLimit, wholeContent))
		} else {
			result.node = t.newNode(s, n, wholeContent)
		}
		if result.cut() {
			for _, h := range n.Outline(maxOutline) {
				result.Outline = append(result.Outline, heading(h))
			}
		}
		if p.Depth > 0 {
			result.nodeContext = t.newContext(s, n)
		}
		return &optional[nodeWithContext]{value: result}, nil
	})
}

func (t *toolset) newContext(s *notes.Snapshot, n *notes.Note) *nodeContext {
	c := &nodeContext{Neighbors: []neighbor{}}
	c.IncomingCount, c.OutgoingCount = s.Degrees(n)
	for _, beside := range s.Neighbors(n, notes.Both, maxContext) {
		c.Neighbors = append(c.Neighbors, neighbor{t.newNode(s, beside.Note, neighborContent), beside.Direction})
	}
	return c
}
