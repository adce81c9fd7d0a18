// Package instructions is the toolset of the instruction catalog. It implements the
// methods that editors, agents and people call, one per file.
//
// The toolset connects package rpc with the model (package catalog and its subpackages)
// and the rules (package governance). Each method computes its answer from one snapshot
// and keeps no state except usage counts.
//
// For agents, five of the methods also return text written for a model, and the
// [Toolset] offers the entries as resources, prompts and skills. Text from an entry is
// always kept separate from the server's own text and can never appear as a line of it.
package instructions
