// Package verify implements all checks of `catalog verify`: it takes a loaded catalog and
// returns findings. It lists all rules and decides which findings are reported. The
// configuration of a repository may switch rules off or change their severity, and a
// comment may suppress a finding.
//
// A comment needs a reason to suppress a finding. Every suppressed finding is counted, with
// what suppressed it. The package reads the files of the catalog and of the repository that
// contains it, and writes none.
package verify
