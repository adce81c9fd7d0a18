// Package gates evaluates the policy of a catalog: conditions on the catalog as a whole,
// such as "no mandatory entry without an owner". A team keeps them in the file gates.json.
//
// [Parse] parses the file once, and [Gates.Evaluate] checks the entries of a snapshot, as a
// [Table], against the gates. Evaluation fails closed: a gate that is invalid or cannot be
// computed fails. For a file that cannot be read, [Broken] returns a gate that always
// fails.
//
// The package does not open files and does not change the catalog.
package gates
