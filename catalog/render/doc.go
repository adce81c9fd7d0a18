// Package render computes the files of coding agents from the entries of a catalog. It
// also decides what to do with an existing file.
//
// [Files] returns the files that each target needs, and a warning for each field that a
// target cannot express. [Decide] compares the text written last, the text to write now
// and the text on disk. [Find], [Put] and [Cut] find, replace and remove the generated
// region of a file.
//
// The package does not read or write files.
package render
