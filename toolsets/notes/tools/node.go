package tools

import (
	"instruction-catalog/toolsets/notes"
)

// How many code points of a note's content are shown.
const (
	wholeContent    = 10_000 // of a single note
	listContent     = 500    // of a note in a list
	neighborContent = 200    // of a neighbour of a single note
)

// node is a note as the contract shows it.
type node struct {
	ID      string     `json:"id"`
	Title   string     `json:"title"`
	Content string     `json:"content"`
	Tags    []string   `json:"tags"`
	Links   []linkInfo `json:"links"`
}

type linkInfo struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// newNode shows a note with at most that many code points of its content.
func newNode(s *notes.Snapshot, n *notes.Note, most int) node {
	shown := node{
		ID: string(n.ID), Title: n.Title(), Content: n.Excerpt(most),
		Tags: append([]string{}, n.Parts.Tags...), Links: []linkInfo{},
	}
	for _, l := range s.Links(n) {
		shown.Links = append(shown.Links, linkInfo{string(l.ID), l.Title()})
	}
	return shown
}

// singleNode is a note that is answered alone.
type singleNode struct {
	node
	Hash     string   `json:"hash,omitempty"`
	Warnings []string `json:"_warnings,omitempty"`
}

func (t *toolset) newSingleNode(s *notes.Snapshot, n *notes.Note) singleNode {
	return singleNode{newNode(s, n, wholeContent), n.Hash(), capped(t.told.news(s, n))}
}
