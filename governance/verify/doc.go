// Package verify holds all checks of `catalog verify`: it takes a loaded catalog and
// returns findings. It lists all rules, and decides which findings are reported: a
// repository may switch rules off or change them, and a comment may suppress a finding.
//
// Nothing is suppressed without a reason, and nothing disappears: a finding that is
// not reported is counted, with what suppressed it. The package reads the files of the
// catalog and of the repository around it, and writes none.
package verify
