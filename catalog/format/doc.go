// Package format turns the bytes of an instruction file into an entry, and sets single
// fields of such bytes.
//
// An instruction file is either JSON or Markdown with front matter in YAML or TOML. Both
// lead to the same intermediate form, the document, and one set of rules makes an entry
// of it:
//
//	bytes → parse (JSON or Markdown) → document → normalise → entry + diagnostics
//
// A value that is written loosely but whose meaning is known is normalised and
// named in a warning. A file that cannot become an entry is named in an error.
// Nothing is dropped in silence.
//
// The package opens no file and writes none.
package format
