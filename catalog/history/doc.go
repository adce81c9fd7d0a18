// Package history records the revisions that a catalog has had. A client that has one
// of them can then be told exactly what has changed since.
//
// For each revision, the package records which entries were different in the previous
// revision, by id and entryHash. It does not record their content. A history can be
// kept in a file that several processes share. The file outlives the process, so a
// history includes changes made while no process was running.
//
// If the file does not say for certain what has changed, the client is asked to list
// everything; it never gets a wrong answer. The package never reads the catalog's files
// and never writes below their folder.
package history
