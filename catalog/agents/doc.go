// Package agents describes coding agents: the files that they read, when they load
// them, what the files can express, and where agents cut them off. Each agent is one
// value in a file of its own; see [All].
//
// [At] returns the kind of agent's file at a path. [Place.Read] determines from the
// front matter when an agent loads the file. Both use the table of [Kinds], from which
// the documentation is generated. A [Target] describes how an agent's files are
// written.
//
// The package opens no files, parses no front matter and does not depend on catalog
// entries.
package agents
