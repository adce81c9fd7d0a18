// Package sum says whether a catalog is the one that somebody has looked at.
//
// The file catalog.sum, a [Sum], has a line for each entry, with a [Hash] of all that
// governs it, so that any edit shows as a changed line. What is not in step with it is
// a [Change]. The file catalog.sum.note has its signature: the [Head] of a Merkle tree
// over the lines, signed with a [SignerKey] and checked with a [PublicKey]. A [Proof]
// shows that an entry is in a signed catalog to who has the entry and the public key
// and nothing else.
//
// What is read is read strictly: of each sum, signature and proof there is one
// spelling, and any other is refused.
//
// The package opens no file, knows no clock, and decides nothing about whose key is to
// be trusted. A signature says that the holder of the key has signed this state, not
// that it is the latest one.
package sum
