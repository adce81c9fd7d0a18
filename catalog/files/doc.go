// Package files reads files that other programs wrote, and changes files so that
// neither a crash nor another program damages them.
//
// # Reading
//
// Instruction files, gates.json and the criteria of a project come from the author of
// the repository and are not trusted. A path that looks like a file may be something
// else: a reader of a named pipe would wait forever, and a link to /dev/zero would fill
// memory. [Read] and [ReadIn] read regular files up to a size that the caller sets.
// They check the file that they opened, not its name, so that nothing can replace it
// between the check and the read. [Open] opens a file that is too large to be held in
// memory. [ReadAll] reads a stream up to a limit. [Cause], [TrimByteOrderMark],
// [InvalidUTF8] and [LineAt] are helpers for reading text.
//
// # Changing
//
// Use a [Folder] for files that other programs change, too. Its [Session] holds a lock
// that excludes the sessions of other processes. It creates, edits and deletes files
// durably, and a reader sees either the old text or the new one. [Session.Apply]
// changes several files as a unit. If the process dies during a change, the next
// session completes it.
//
// Programs that do not use the lock, such as editors, may write at any time. A change
// therefore compares the text that it replaced with the text that it edited. If they
// differ, another program changed the file: its text is restored and edited.
//
// [State] encodes files that only this program writes, so that damage to them is
// detected. [Lock] locks a file between processes. [SyncFolder] makes changes to a
// folder durable.
//
// The package does not know file formats, and leaves error handling to the caller.
package files
