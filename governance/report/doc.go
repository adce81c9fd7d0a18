// Package report is what a check of a catalog has found.
//
// Whatever looks for something wrong, returns a [Finding] for each. Texts of a
// finding may come from anybody, so they are escaped where they are shown: none
// can steer a terminal or forge a line.
//
// The package finds nothing itself, opens no file, and knows no entry of a
// catalog but its id.
package report
