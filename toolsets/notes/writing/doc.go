// Package writing creates, changes, renames and deletes the notes of a vault.
//
// A new title renames the note's file and rewrites every link to it, keeping the form of
// each link. The package plans this before it writes anything: it builds the graph that
// the rename would produce and rewrites each link whose target would change. Then it
// changes all files in one transaction.
//
// It edits the current text of each file, under a lock that all servers share. How
// errors and notes are presented to clients is left to package tools.
package writing
