// Package source reads a folder of instruction files, or a bundle, into a snapshot of
// package catalog, and writes a snapshot as a bundle:
//
//	folder → walk → choose → read → package format → entries + diagnostics
//
// A file that cannot become an entry is named in an error and the others are served all
// the same.
//
// The package writes nothing but bundles, opens no path outside the folder, and never
// waits for a named pipe or a device.
package source
