// Package files reads what somebody else put on the disk.
//
// An instruction file, gates.json and the criteria of a project come from
// whoever wrote the repository, and what has a file's name need not be a file: a
// named pipe would make the reader wait forever, a link to /dev/zero would fill
// the memory. [Read] and [ReadIn] therefore read regular files up to a size that
// the caller sets, and look at the file that they opened, not at the name, so
// that nothing can be swapped in between. [Open] is for what is too large to be
// held in memory, and [ReadAll] sets a bound to a stream.
//
// Besides, the package has what every reader of a text file needs: [Cause] for an
// error that names no path, and [TrimByteOrderMark], [InvalidUTF8] and [LineAt]
// to say where a text went wrong; and [SyncFolder] for those who write.
//
// The package knows no format and says nothing about what to do: that is for
// the caller, who knows what the file is for. It never writes a file, never waits for
// a writer, and never reads more than it was told to.
package files
