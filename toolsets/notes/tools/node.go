package tools

import (
	"unicode/utf8"

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
	shownPart
	NextOffset int `json:"nextOffset,omitempty"` // where the rest begins, if the content is cut
}

// shownPart is a note with the content or a part of it.
type shownPart struct {
	ID      string     `json:"id"`
	Title   string     `json:"title"`
	Content string     `json:"content"`
	Tags    []string   `json:"tags"`
	Links   []linkInfo `json:"links"`
	// LinkCount is how many links there are, if not all are shown.
	LinkCount int `json:"linkCount,omitempty"`
	// ContentLength is the length of the content in code points, if it is cut.
	ContentLength int `json:"contentLength,omitempty"`
}

// maxLinks is how many links of a note are shown.
const maxLinks = 50

// keepLinks shows at most that many links, and says how many there are.
func (n *shownPart) keepLinks(most int) {
	if len(n.Links) > most {
		n.LinkCount = max(n.LinkCount, len(n.Links))
		n.Links = n.Links[:most]
	}
}

// cut reports whether the node shows only a part of the content.
func (n *shownPart) cut() bool { return n.ContentLength > 0 }

type linkInfo struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// newNode shows a note with at most that many code points of its content.
func (t *toolset) newNode(s *notes.Snapshot, n *notes.Note, most int) node {
	content := n.Excerpt(most)
	next := utf8.RuneCountInString(content)
	if n.Length() > most {
		next -= notes.CutMark
	}
	return t.showNode(s, n, content, 0, next)
}

// newPart shows a note with a part of its content.
func (t *toolset) newPart(s *notes.Snapshot, n *notes.Note, offset, limit int) node {
	content := n.Part(offset, limit)
	return t.showNode(s, n, content, offset, offset+utf8.RuneCountInString(content))
}

// showNode shows a note with the content from one offset to another, and remembers
// how much that is.
func (t *toolset) showNode(s *notes.Snapshot, n *notes.Note, content string, offset, next int) node {
	node := node{shownPart: shownPart{
		ID: string(n.ID), Title: n.Title(), Content: content,
		Tags: append([]string{}, n.Parts.Tags...), Links: []linkInfo{},
	}}
	for _, l := range s.Links(n) {
		node.Links = append(node.Links, linkInfo{string(l.ID), l.Title()})
	}
	node.keepLinks(maxLinks)
	length := n.Length()
	whole := offset == 0 && next == length
	if !whole {
		node.ContentLength = length
		if next < length {
			node.NextOffset = next
		}
	}
	t.shown.add(n, span{offset, next}, utf8.RuneCountInString(content), whole)
	return node
}

// singleNode is a note that is answered alone.
type singleNode struct {
	node
	Outline  []heading `json:"outline,omitempty"` // where get_node cuts the content
	Hash     string    `json:"hash,omitempty"`
	Warnings []string  `json:"_warnings,omitempty"`
}

// heading is a heading of a note, at an offset in code points.
type heading struct {
	Level   int    `json:"level"`
	Heading string `json:"heading"`
	Offset  int    `json:"offset"`
}

func (t *toolset) newSingleNode(s *notes.Snapshot, n *notes.Note) singleNode {
	return singleNode{node: t.newNode(s, n, wholeContent), Hash: n.Hash(), Warnings: capped(t.told.news(s, n))}
}
