// Package markdown parses the file of one note: its front matter, title, tags and links.
// Each link includes the range of bytes that names its target.
//
// CommonMark decides what is code; goldmark parses it, with an inline parser for
// [[wikilinks]]. Offsets refer to the file as it was given, so that a caller can replace
// the target of a link and nothing else.
//
// The package does not know other files: the caller decides whether the target of a link
// exists. It does not change files. Any sequence of bytes is a valid note.
package markdown
