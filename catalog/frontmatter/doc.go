// Package frontmatter changes a value in the YAML at the head of a note, and
// leaves every other byte as it is: comments, order, quotation marks, line ends,
// and the fields that somebody else put there.
//
// A YAML library says where the value stands; it never writes. What comes out is
// read again before it is returned: the value must read back exactly and every
// other field as before, else there is an error and the text is not touched.
//
// The package knows neither where front matter begins in a file nor what its
// fields mean.
package frontmatter
