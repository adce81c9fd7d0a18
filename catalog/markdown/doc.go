// Package markdown takes the file of one note apart: where its front matter stands,
// its title, its tags, and its links, each with the bytes of the file that name
// what it leads to.
//
// CommonMark says what is code, and goldmark is asked for that; [[wikilinks]] are
// an inline parser on it. Offsets are those of the file as it was given, so that a
// caller can replace the target of a link and nothing else.
//
// The package knows no other file: whether a link leads anywhere is for those to
// say who know all notes. It changes nothing, and any bytes are a note.
package markdown
