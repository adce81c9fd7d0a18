// Package entities is the domain of a project's entities: guides, concepts,
// projects and news, how they relate, how pages about them do in search, and
// what of them can be quoted. The data belongs to a backend, which package
// httpapi reads over HTTP. Packages v1 and v2 show it to callers, each in the
// words of one published contract.
//
// The model is the superset of both contracts. Nothing here writes, remembers
// an answer, or believes what a backend sends before it has been checked.
package entities
