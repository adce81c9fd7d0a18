// Package usage counts how often the entries of a catalog are used.
//
// The counts live apart from the entries: a snapshot never changes, and a count
// outlives the snapshot in which it began. What an entry's file records of its
// use is the base on which the counting goes on.
//
// A [Counter] from [NewCounter] counts in memory, until the process ends. One
// from [Open] keeps its counts in a journal, a file that all processes share
// which serve the same catalog, so that they count together:
//
//   - The journal is a text of lines, each with its checksum: a header, then
//     records, each of which says who wrote it, its number among that writer's,
//     and what was counted. A record that stands there twice counts once; a line
//     that is not as it was written counts for nothing, and [Status] tells.
//   - Whoever appends holds a lock on a file beside the journal, looks the journal
//     up by its name, and so notices when another process has replaced it. A write
//     is brought to the disk after the lock is released, and one such commit does
//     for all writes of the process before it.
//   - Everybody reads on where they stopped whenever the file has changed. Reading
//     needs no lock: a line counts when it has its newline.
//   - A journal that has grown long is replaced by one with a record an entry, by
//     writing that beside it and renaming it, under the lock.
//
// A process that is killed at any moment leaves a journal that can be read and
// has every use that was acknowledged. Where the journal cannot be used, because
// it is no journal, is of a newer version, cannot be written or the disk is full,
// it stays as it is, and counts go on in memory.
//
// The package never writes to the catalog, and keeps nothing but the journal, its
// lock, and for a moment the journal that will replace it.
package usage
