// Package usage counts how often the entries of a catalog are used.
//
// The counts are kept apart from the entries: a snapshot never changes, and a count
// outlives the snapshot in which it began. What the file of an entry records of its
// use is the base on which the counting goes on.
//
// A [Counter] from [NewCounter] counts in memory, until the process ends. One from
// [Open] keeps its counts in a journal, a file that all processes share which serve
// the same catalog, so that they count together:
//
//   - The journal is a text of lines, each with its checksum: a header, then records.
//     A record names its writer, its number among that writer's, and what was
//     counted. A record that is in the journal twice counts once; a damaged line
//     counts for nothing, and [Status] has the number of them.
//   - A process that appends holds a lock on a file beside the journal, and finds the
//     journal by its name, since another process may have replaced it. A use waits for
//     the lock for a few seconds at most, and then stays in memory. After the lock is
//     released, the write is brought to the disk.
//   - Every process reads on from where it stopped when the file has changed. Reading
//     needs no lock: a line counts when it has its newline.
//   - A journal that has grown long is replaced by one with a record for each writer
//     and entry. The writers and numbers stay, so that a copy of the journal can still
//     be appended, and no use counts twice.
//
// A process that is killed at any moment leaves a journal that can be read and has
// every use that was acknowledged as kept. If the journal cannot be used, because it
// is another file, has a newer version, cannot be written or the disk is full, it
// stays as it is, and counts go on in memory, which each answer says.
//
// The package never writes to the catalog, and keeps nothing but the journal, its
// lock, and for a moment the journal that will replace it.
package usage
