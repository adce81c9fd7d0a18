// Package search finds the texts that contain a string, whatever its case.
//
// Case is compared under full Unicode case folding (see [Fold]): Straße finds
// STRASSE, ſ finds s, the Kelvin sign finds k, and Σ, σ and ς find each other.
// A match is a run of bytes in the folded title or in the folded body of one
// text, never across the two.
//
// # Method
//
// New folds all texts once and cuts them into pieces of at most 512 bytes. Per
// piece it keeps a Bloom filter of the trigrams (runs of three bytes) that
// occur there. The filters are bit-sliced: bit b of 64 neighbouring pieces is
// one machine word, so that a query takes the words of its own trigrams, ANDs
// them, and has 64 pieces rejected as soon as the result is zero. What is left
// is compared with the query itself, so a filter may cost time but never an
// answer.
//
// A match belongs to the piece in which it begins. Each filter therefore covers
// its piece and the 31 bytes after it, and a query is filtered by its first 32
// bytes only. Long texts are just more pieces; nothing else is special in them.
//
// A query of one or two bytes has no trigram. It scans the texts, but only those
// shards (some 512 KiB of texts) in which its bytes occur at all.
//
// # Cost
//
// Measured by this package's benchmarks on the machine of writing, at 5,000
// texts of about 1.8 KB; the floor is one pass of bytes.Contains over the same
// folded texts, in the same run:
//
// # FIGURES
//
// The filters take three quarters of a byte per byte of folded text, and 24
// bytes a text, 16 bytes a piece and 8 KiB a shard come on top. See [Index.Size].
//
// # Limits
//
// The package never normalises (a composed é does not find a decomposed one),
// never tokenises, ranks or allows for typing errors, and knows no language: a
// Turkish İ folds as Unicode's default says. It reads no files and keeps no
// reference to the strings it was given.
package search
