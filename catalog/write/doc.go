// Package write is the one writer of a catalog's files. Begin locks the folder of a
// catalog against all other writers. The session then creates files and replaces
// them, durably, and only if they still hold what the caller has read.
//
// The package knows no format and no policy: the caller decides what to write.
package write
