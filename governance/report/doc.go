// Package report is what a check of a catalog has found, and how that is told: to
// people, to programs, and in the forms that CI systems read.
//
// Whatever looks for something wrong, returns a [Finding] for each. A [Report] has
// those of one run, and [Report.Write] writes it in one [Format]. Texts of a
// finding may come from anybody, so each format escapes them: none can steer a
// terminal, forge a line, or have an image loaded. A [Baseline] tells which
// findings are those of an earlier run.
//
// The package finds nothing itself, opens no file, and knows no entry of a
// catalog but its id.
package report
