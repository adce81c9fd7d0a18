// Package frontmatter is the one reader and editor of YAML front matter: [Cut] splits a
// file, [Parse] returns the fields with their lines, and [SetText], [SetList] and [Unset]
// change one field and no other byte: comments, order, quotation marks and line ends stay.
//
// The YAML library says where a value is; it never writes. Each result is parsed again
// before it is returned: the field must read back exactly and every other field as
// before, else there is an error.
//
// The package does not know what fields mean.
package frontmatter
