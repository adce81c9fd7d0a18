// Package cachefile keeps what can be made again in the user's cache folder, in
// files that are believed only if nobody else can have written them and nothing
// in them has changed.
//
// [File.Read] believes a file that is a regular one, no link, belongs to the
// user and cannot be written by others, as its folder, that has the form asked
// for, and has the checksum that it ends with. The checksum finds what
// was torn or has decayed; that nobody planted the file is for its owner and
// its mode to say. [File.Write] puts a new file into the place of the old one in
// one step, so that nobody reads half of it.
//
// The package knows nothing about what it keeps, and writes nowhere else. On
// systems where it cannot tell who owns a file it keeps nothing.
package cachefile
