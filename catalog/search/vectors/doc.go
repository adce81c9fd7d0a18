// Package vectors finds documents by meaning. An [Index] has a vector for every passage of
// every document and compares all of them with the vector of a query.
//
// The vectors are computed in the background and stored in a file, keyed by the hash of
// their passage, so that no passage is embedded twice. A search waits only for the
// vector of its query. It finds the passages that have a vector by then.
//
// The package writes only that file. It sees only the heading and content of a document.
package vectors
