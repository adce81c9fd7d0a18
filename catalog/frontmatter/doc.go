// Package frontmatter reads and edits YAML front matter; all other packages use it for
// that. [Cut] splits a file, and [Parse] returns the fields with their lines. [SetText],
// [SetList] and [Unset] change one field and preserve every other byte: comments, order,
// quotation marks and line ends.
//
// The YAML library locates values; it never writes. Each result is parsed again before it
// is returned. If the field does not read back exactly, or if another field has changed,
// the edit returns an error.
//
// The package does not interpret fields.
package frontmatter
