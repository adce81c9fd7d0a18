// Package vectors finds notes by what they mean: an [Index] has a vector for every
// passage of every note, and compares all of them with that of a query.
//
// The vectors are computed in the background, and kept in a file by the hash of
// their passage, so that no passage is embedded twice. A search waits for nothing
// but the vector of its query, and finds what has a vector by then.
//
// The package writes that file and no other, and nothing in the vault.
package vectors
