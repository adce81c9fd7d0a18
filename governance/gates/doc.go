// Package gates evaluates a catalog's policy: conditions on the whole of it, such
// as "at least one critical entry", which a team keeps in the file gates.json.
//
// [Evaluate] holds the entries of a snapshot against them. It fails closed: a
// gate that cannot be understood has failed, and so has a file that cannot be
// read.
//
// The package reads that one file, and never writes any or changes the catalog.
package gates
