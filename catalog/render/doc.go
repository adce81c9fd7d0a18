// Package render computes the files of coding agents from the entries of a catalog, and
// what becomes of a file that stands there already.
//
// [Files] returns what each target's files would be, and a warning for each field that a
// target cannot express. [Decide] compares what was written last, what would be written
// now and what stands there. The functions on regions find and replace the part of a
// file that is ours.
//
// The package reads no file and writes none.
package render
