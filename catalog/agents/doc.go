// Package agents knows what coding agents read, load and can express, and where they
// cut. Each agent is one value in a file of its own; see [All].
//
// [At] tells from a path what kind of agent's file it is. [Place.Read] tells from its
// front matter when an agent loads it. [Kinds] is the table behind both, and
// the documentation is generated from it. A [Target] says how an agent's files are
// written.
//
// The package opens no file, parses no front matter, and knows no entry.
package agents
