// Package report represents the findings of a check of a catalog and writes them in formats
// for people, programs and CI systems.
//
// Every check returns a [Finding] for each problem. A [Report] holds the findings of one
// run, and [Report.Write] writes it in one [Format]. The texts of a finding may come from
// an attacker, so each format escapes them: they cannot control a terminal, forge a line or
// load an image. A [Baseline] records which findings an earlier run had.
//
// The package does not run checks and does not open files. Of a catalog's entries, it uses
// only the ids.
package report
