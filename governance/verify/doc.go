// Package verify decides what `catalog verify` reports of the findings in a catalog:
// which rules there are, which of them a repository has switched off or changed, and
// which findings somebody has suppressed, and why.
//
// Nothing is suppressed without a reason, and nothing disappears: a finding that is
// not reported is counted, with what suppressed it. The package finds nothing itself,
// and neither reads nor writes a file.
package verify
