// Package history remembers which revisions a catalog has had, so that a client
// which held one of them can be told exactly what has changed since.
//
// Of each revision it knows which entries were otherwise in the one before, by id
// and entryHash; what they said, it does not know. It outlives the process in a file
// that several processes share, and has what changed in between.
//
// What the file does not tell for certain is not known: a client is then asked to
// list everything, and never told something wrong. The package never reads the
// catalog's files and never writes below their folder.
package history
