// Package search finds the texts that contain a string, whatever its case, and
// the places where a text does ([Index], [Locate]); and it finds the documents
// that fit the words of a query, best first ([Ranking]).
//
// Case is compared under full Unicode case folding (see [Fold]): Straße finds
// STRASSE, ſ finds s, the Kelvin sign finds k, and Σ, σ and ς find each other.
// A match is a run of bytes in the folded title or in the folded body of one
// text, never across the two.
//
// # Finding a string
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
// Beside the filters, each shard (some 512 KiB of texts) knows the pairs of bytes
// that occur in it. A query with another pair passes over the whole shard. A
// query of one or two bytes has no trigram: it scans the shards that have its
// bytes.
//
// What that costs was measured by this package's benchmarks on the machine of
// writing, for 5,000 texts of about 1.8 KB. Times vary between machines; the
// ratios, to one pass of bytes.Contains over the same folded texts in the same
// run, vary less:
//
//	query                          found    time     pass/time
//	absent                             0    0.3 µs   above 1,000
//	in one text of 1,000               5    0.9 µs   above 500
//	in one text of 50                100      5 µs   80
//	in one text of 3               1,667     80 µs   5
//	two bytes, absent                  0    0.2 µs   above 1,000
//	two bytes, in one of 1,000         5     90 µs   5
//	two bytes, in all              5,000    430 µs   1
//	two common words joined            0      6 µs   600
//	the worst of such joins            0  3,100 µs   2
//
// The last line is the method's weak side: a term that is absent though most
// pieces have all its trigrams. A common term costs about what its answer does.
//
// New takes some 3 ns a byte on one core and little over half of that on two.
// The filters take three quarters of a byte per byte of folded text; 24 bytes a
// text, 16 bytes a piece and 8 KiB a shard come on top, which makes 0.82 bytes a
// byte in all.
//
// # Ranking documents
//
// NewRanking cuts the fields of its documents into words: runs of letters and
// digits, folded; camelCase as a whole and as its parts; Chinese, Japanese, Thai
// and the like as pairs of characters. For each word it keeps in which documents
// it occurs and how much each is about it, by BM25F. Stop words of English are
// left out.
//
// A query is cut in the same way. A document fits if it has at least half of the
// words, in whatever field, as they are or in another form: with another ending
// of English, or longer, where a word is the last of the query. There is no
// more than that to decide that nothing fits. The forms are found when somebody
// asks, so that the index knows the words as they are written.
//
// Over 5,000 generated documents of 1.8 KB a query of three words takes some
// 0.1 ms, over 100,000 some 2 ms: it costs about what the documents do that have
// any of the words. NewRanking takes 50 ms and 1.1 s for them on two cores, and
// the index 0.4 bytes per byte of text.
//
// # Limits
//
// The package never normalises (a composed é does not find a decomposed one),
// never allows for typing errors, and knows no language but for the endings and
// stop words of English in ranking: a Turkish İ folds as Unicode's default says.
// It knows nothing of how words stand together in a document. It reads no files,
// and once an index is built it keeps no reference to the strings it was given.
package search
