// Package sum says whether a catalog is the one that somebody has looked at.
//
// The file catalog.sum has a line for each entry, with a [Hash] of all that governs
// it, so that any edit shows as a changed line. What is not in step with it is a
// [Change].
//
// The package knows no file of instructions, writes nothing, and decides nothing
// about whose key is to be trusted.
package sum
