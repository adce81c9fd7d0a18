// Package verify decides what `catalog verify` tells of what was found in a catalog:
// which rules there are, which of them a repository has switched off or changed, and
// which findings somebody has silenced, and why.
//
// Nothing is silenced without a reason, and nothing disappears: whatever is not told
// is counted, with who silenced it. The package looks for nothing itself, and neither
// reads nor writes a file.
package verify
