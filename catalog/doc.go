// Package catalog is the model of a catalog of instructions and the questions
// one can ask of it: list, search, diff, verify.
//
// An [Entry] is one instruction. A [Snapshot] is all of them at one moment. It never
// changes, so a caller that keeps one sees a consistent catalog. A [Store] loads the
// snapshot when it is first needed and returns the same one to every caller.
//
// The package never reads a file, knows no file format and no wire protocol,
// and never writes anything.
package catalog
