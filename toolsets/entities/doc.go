// Package entities is the domain model of the entities of a project: guides, concepts,
// projects and news, their relationships, the performance of their pages in search, and
// the statements that can be quoted from them. The data comes from a backend, which
// package httpapi reads over HTTP. Packages v1 and v2 each present it in the form of one
// published contract.
//
// The model is the superset of both contracts. The package does not write or cache
// anything, and it validates everything that a backend sends.
package entities
