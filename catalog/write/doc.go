// Package write is the only package that writes a catalog's files. [Catalog.Begin]
// locks the folder of a catalog against all other writers. A [Session] creates and
// replaces files durably. It replaces a file only if the file still holds what the
// caller has read.
//
// The package does not depend on file formats or policies. The caller decides what to
// write.
package write
