// Package usage counts how often the entries of a catalog are used.
//
// The counts live in memory, apart from the entries: a snapshot never changes,
// and a count outlives the snapshot in which it began. What an entry's file
// records of its use is the base on which the counting goes on.
//
// The package never writes to the catalog; what was counted ends with the
// process.
package usage
