// Package sum detects whether a catalog differs from the state that was reviewed and
// signed.
//
// The file catalog.sum, a [Sum], has a line for each entry, with a [Hash] of everything
// that governs the entry, so that any edit changes a line. A difference between the catalog
// and the sum is a [Change]. The file catalog.sum.note is the signature: the [Head] of a
// Merkle tree over the lines, signed with a [SignerKey] and verified with a [PublicKey]. A
// [Proof] shows that an entry is in a signed catalog. Checking it needs only the entry and
// the public key.
//
// Parsing is strict: each sum, signature and proof has exactly one spelling, and any other
// spelling is an error.
//
// The package does not open files, does not read the clock, and does not decide which keys
// to trust. A signature shows that the holder of the key has signed this state, but not
// that it is the latest state.
package sum
