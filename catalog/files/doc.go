// Package files reads what others put on the disk, and changes files so that
// neither a crash nor another program damages them.
//
// # Reading
//
// An instruction file, gates.json and the criteria of a project come from the person who
// wrote the repository, and what has a file's name need not be a file: a named pipe
// would make the reader wait forever, a link to /dev/zero would fill the memory.
// [Read] and [ReadIn] read regular files up to a size that the caller sets, and look
// at the file that they opened, not at the name, so that nothing can be swapped in
// between. [Open] is for what is too large to be held in memory, and [ReadAll] bounds
// a stream. [Cause], [TrimByteOrderMark], [InvalidUTF8] and [LineAt] are what every
// reader of a text needs.
//
// # Changing
//
// A [Folder] is one that this program and others change at the same time. Its
// [Session] holds a lock that all processes share, and creates, edits and deletes
// files: durably, and so that a reader sees the old text or the new. [Session.Apply]
// changes several files as one. If the process dies on the way, the next session
// completes the change.
//
// Programs that know nothing of the lock, such as editors, may write at any time.
// What they save is never replaced unread: a text is compared when it is taken out of
// its place, and goes back if it is not the one that was edited.
//
// [State] is the form of files that only this program writes: damage to them shows.
// [Lock] is a lock between processes, [SyncFolder] makes a name durable.
//
// The package knows no format, and does not tell what to do about an error: the
// caller knows what the file is for.
package files
