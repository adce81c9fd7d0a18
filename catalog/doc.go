// Package catalog models a catalog of instructions and answers queries about it: list,
// search, diff and verify.
//
// An [Entry] is one instruction. A [Snapshot] holds all entries at one moment. It never
// changes, so a caller that keeps one sees a consistent catalog. A [Store] loads the
// snapshot when it is first needed and returns the same one to every caller.
//
// The package does not read or write files, and does not depend on a file format or a
// wire protocol.
package catalog
