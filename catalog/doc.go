// Package catalog is the model of a catalog of instructions and the questions
// one can ask of it: list, search, diff, verify.
//
// An [Entry] is one instruction. A [Snapshot] is all of them at one moment: it
// never changes once made, so that whoever holds one sees one consistent
// catalog for as long as it likes. A [Store] loads the snapshot when it is
// first needed and hands the same one to everybody.
//
// The package never reads a file, knows no file format and no wire protocol,
// and never writes anything.
package catalog
