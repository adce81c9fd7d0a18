package tools

import (
	"unicode/utf8"

	"instruction-catalog/toolsets/notes"
)

// Maximum numbers of code points of a note's content in an answer.
const (
	wholeContent    = 10_000 // for a single note
	listContent     = 500    // for a note in a list
	neighborContent = 200    // for a neighbour of a single note
)

// node is a note in the form that the contract defines.
type node struct {
	shownPart
	NextOffset int `json:"nextOffset,omitempty"` // start of the rest, if the content is cut
}

// shownPart is a note with all or part of its content.
type shownPart struct {
	ID      string     `json:"id"`
	Title   string     `json:"title"`
	Content string     `json:"content"`
	Tags    []string   `json:"tags"`
	Links   []linkInfo `json:"links"`
	// LinkCount is the number of all links, if not all are shown.
	LinkCount int `json:"linkCount,omitempty"`
	// ContentLength is the length of the whole content in code points, if it is cut.
	ContentLength int `json:"contentLength,omitempty"`
}

// maxLinks is the maximum number of links shown for a note.
const maxLinks = 50

// keepLinks truncates the links to the given number and records how many there were.
func (n *shownPart) keepLinks(most int) {
	if len(n.Links) > most {
		n.LinkCount = max(n.LinkCount, len(n.Links))
		n.Links = n.Links[:most]
	}
}

// cut reports whether only a part of the content is shown.
func (n *shownPart) cut() bool { return n.ContentLength > 0 }

type linkInfo struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// newNode returns n with its content cut to the given number of code points.
func (t *toolset) newNode(s *notes.Snapshot, n *notes.Note, most int) node {
	content := n.Excerpt(most)
	next := utf8.RuneCountInString(content)
	if n.Length() > most {
		next -= notes.CutMark
	}
	return t.showNode(s, n, content, 0, next)
}

// newPart returns n with a part of its content. offset and limit are in code points.
func (t *toolset) newPart(s *notes.Snapshot, n *notes.Note, offset, limit int) node {
	content := n.Part(offset, limit)
	return t.showNode(s, n, content, offset, offset+utf8.RuneCountInString(content))
}

// showNode returns n with the content from offset to next, and records in t.shown that
// this part was shown.
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

// singleNode is the only note in an answer.
type singleNode struct {
	node
	Outline  []heading `json:"outline,omitempty"` // in the contract, but only get_node sets it
	Hash     string    `json:"hash,omitempty"`
	Warnings []string  `json:"_warnings,omitempty"`
}

// heading is a heading of a note. Offset is in code points.
type heading struct {
	Level   int    `json:"level"`
	Heading string `json:"heading"`
	Offset  int    `json:"offset"`
}

func (t *toolset) newSingleNode(s *notes.Snapshot, n *notes.Note) singleNode {
	return singleNode{node: t.newNode(s, n, wholeContent), Hash: n.Hash(), Warnings: capped(t.told.news(s, n))}
}
