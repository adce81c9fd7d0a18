// Package report holds the findings of a check of a catalog, and writes them for
// people, for programs, and in the forms that CI systems read.
//
// Every check returns a [Finding] for each problem. A [Report] has those of one run,
// and [Report.Write] writes it in one [Format]. Texts of a finding may come from
// anybody, so each format escapes them: none can steer a terminal, forge a line, or
// have an image loaded. A [Baseline] tells which findings an earlier run had.
//
// The package finds nothing itself, opens no file, and knows no entry of a
// catalog but its id.
package report
