// Package agents knows the instruction files of coding agents: which file
// each agent reads, what its front matter decides, and for which files of a
// repository it counts.
//
// [At] tells from a path what kind of file it is. [Place.Read] tells from its
// front matter when an agent loads it. [Kinds] is the table behind both, and
// the documentation is generated from it.
//
// The package opens no file, parses no front matter, and knows no entry.
package agents
