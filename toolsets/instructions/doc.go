// Package instructions is the toolset of the instruction catalog: the methods
// that an editor, an agent or a person asks of it, one file each.
//
// It is where the model (package catalog and its rooms) and the rules (package
// governance) meet package rpc. A method takes one snapshot, computes its
// answer from it, and remembers nothing but counts of use.
package instructions
