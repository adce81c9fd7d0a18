// Package usage counts how often the entries of a catalog are used.
//
// Counts are kept apart from the entries: a snapshot never changes, and counts outlive
// the snapshot. The use that an entry's file records is added to the counts.
//
// A [Counter] from [NewCounter] counts in memory, until the process ends. One from
// [Open] keeps its counts in a journal. All processes that serve the same catalog share
// this file, so that they count together:
//
//   - The journal is a text file. Each line has a checksum. The first line is a header,
//     and the others are records. A record has the name of its writer, its number among
//     the writer's records, and the counts. A record that is in the journal twice counts
//     once. A damaged line does not count; [Status] has the number of damaged lines.
//   - A process that appends holds a lock on a file beside the journal. It then opens the
//     journal by name, since another process may have replaced it. A use waits for the
//     lock for a few seconds at most, and then stays in memory. The journal is synced to
//     disk after the lock is released.
//   - If the file has changed, a process reads on from where it stopped. Reading needs no
//     lock: a line counts once it has its newline.
//   - A long journal is compacted: it is replaced by one with a record for each writer and
//     entry. Writers and numbers are kept, so that no use counts twice if a copy of the
//     old journal is appended.
//
// If a process is killed at any moment, the journal can still be read. It then has every
// use that was acknowledged as kept. The journal cannot be used if the file is not a
// journal, has a newer version or cannot be written, or if the disk is full. It is then
// left as it is, counts stay in memory, and each answer says so.
//
// The package never writes to the catalog. It writes only the journal, its lock, and
// temporarily the file that replaces the journal.
package usage
