// Package instructions is the toolset of the instruction catalog: the methods
// that an editor, an agent or a person asks of it, one file each.
//
// It is where the model (package catalog and its rooms) and the rules (package
// governance) meet package rpc. A method takes one snapshot, computes its
// answer from it, and remembers nothing but counts of use.
//
// For agents there is more: five of the methods have a form made for a model to
// read, and the [Toolset] offers the entries as resources, prompts and skills.
// Whatever an entry says is shown there apart from what the server says, and never
// as a line of it.
package instructions
