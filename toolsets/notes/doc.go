// Package notes has what a vault of Markdown notes is: its notes, how the links in
// them resolve, and the graph that they make. A [Snapshot] is all of it at one
// moment, and never changes.
//
// An id is the path of a note's file. Ids are equal under NFC and case folding
// where no other spelling is meant exactly. All lists are in a total order, mostly
// that of ids, by bytes.
//
// The package reads no file, writes none, and knows no JSON-RPC: files become
// notes in package vault, notes become answers in package tools.
package notes
