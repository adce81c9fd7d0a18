// Package gates evaluates a catalog's policy: conditions on the whole of it, such
// as "no mandatory entry without an owner", which a team keeps in the file gates.json.
//
// [Parse] understands the file once, and [Gates.Evaluate] holds the entries of a
// snapshot, as a [Table], against it. It fails closed: a gate that cannot be
// understood or computed has failed, and so, as [Broken], has a file that cannot be read.
//
// The package opens no file, and never changes the catalog.
package gates
