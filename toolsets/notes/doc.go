// Package notes models a vault of Markdown notes: the notes, the targets of their links,
// and the graph that the links form. A [Snapshot] is an immutable view of a vault at one
// moment.
//
// An id is the path of a note's file. If no note has exactly the given spelling, ids are
// compared after NFC normalization and case folding. All lists have a total order, in
// most cases by id, compared bytewise.
//
// The package does no I/O and does not use JSON-RPC. Package vault reads files into
// notes, and package tools turns notes into answers.
package notes
