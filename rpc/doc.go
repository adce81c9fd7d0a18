// Package rpc declares methods and calls them.
//
// A [Method] is declared once, as a value: its name, its documentation, its typed
// params and result, and its handler. The [Registry] checks every declaration against
// the contract in package schemas. Every protocol and command calls handlers through
// the Registry: it validates params, recovers panics, and counts and times calls.
//
// The package does not depend on a domain, reads no files and writes to no streams.
package rpc
