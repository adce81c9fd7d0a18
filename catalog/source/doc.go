// Package source reads a folder of instruction files into the model of
// package catalog.
//
// An instruction file is either JSON or Markdown with YAML front matter. Both
// lead to the same intermediate form, the document, and one set of rules makes
// an entry of it:
//
//	folder → walk → read → parse (JSON or Markdown) → normalise → entry + diagnostics
//
// A value that is written loosely but whose meaning is known is normalised and
// named in a warning. A file that cannot become an entry is named in an error
// and the others are served all the same. Nothing is dropped in silence.
//
// The package never writes, never opens a path outside the folder, and never
// waits for a named pipe or a device.
package source
