// Package source reads a folder of instruction files, or a bundle, into a snapshot of
// package catalog. It also writes a snapshot as a bundle:
//
//	folder → walk → choose → read → package format → entries + diagnostics
//
// A file that cannot be read as an entry causes a diagnostic. The other files are
// served.
//
// The package writes only bundles, and never blocks on a named pipe or a device. A
// folder is opened as an [os.Root], so that a file of the catalog cannot lead to a path
// outside it.
package source
