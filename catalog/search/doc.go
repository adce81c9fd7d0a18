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
// The texts stay with whoever keeps them, in his form ([Texts]). A [Builder] folds
// them once, keeps none of that, and cuts them into shards of neighbours, at most
// some 512 KB each, and those into pieces of about 256 bytes. 64 shards are a group.
// Three things are known of a group, exactly, and the fourth of a shard:
//
//   - Grams: in which texts each byte occurs, each pair of bytes, and each three bytes
//     of which one separates words. A query that is one is answered without a look at
//     a text. Of a longer one they say which texts may have it.
//   - Tokens: in which texts each word occurs. What is a part of words is found in a
//     dictionary of them. A query without blanks and punctuation needs no look at a
//     text, however many have it, but for texts with words of more than 64 bytes, and
//     of shards with so many words that there was no room for all. Of another query
//     the longest word says which texts may have it.
//   - Clusters: in which texts those four to six bytes occur that reach across words
//     and that many texts of a sample have. They are known where all texts together
//     have no more than 128 MB.
//   - Signatures: for each piece a Bloom filter of each four bytes of which one
//     separates words. 64 pieces are one word; a query ANDs the words of its own four
//     bytes and is done with 64 pieces as soon as the result is zero.
//
// What is left is compared with the query itself, so a filter may cost time but
// never an answer. Of each text no more is looked at than up to its first match,
// and it is folded only where it has a character beyond ASCII that folds to ASCII,
// or where the query is not plain ASCII. Some pieces are approached at once before
// they are looked at, since fetching them from memory takes longer than comparing.
//
// A match belongs to the piece in which it begins. Each signature therefore covers
// its piece and the 31 bytes after it, and a query is filtered by its first 32
// bytes only. Long texts are just more pieces; nothing else is special in them,
// but for one limit: a text must be less than 4 GiB.
//
// Find says which texts have the query, all of them, and uses every processor
// where there is much to compare. FindFrom begins at a text and goes no further
// than the shard of the last that it is asked for, so that a page costs what is on
// it. A [Scan] says the same without an index, while one is built.
//
// What is weak: a query across words that a great part of the texts have and that
// is no cluster, for each of them has to be looked at; and one of which only the end
// or the beginning of a word is common. The figures are in the decision record 0022;
// the benchmarks BenchmarkFind, BenchmarkExcerpts and BenchmarkNew measure them anew.
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
// any of the words. NewRanking takes 65 ms and 0.7 s for them on two cores, and
// the index 0.4 to 0.5 bytes per byte of text.
//
// # Limits
//
// The package never normalises (a composed é does not find a decomposed one),
// never allows for typing errors, and knows no language but for the endings and
// stop words of English in ranking: a Turkish İ folds as Unicode's default says.
// It knows nothing of how words stand together in a document. It reads no files.
// An Index asks for its texts as long as it is used; a Ranking keeps none.
package search
