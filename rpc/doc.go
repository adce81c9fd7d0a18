// Package rpc declares methods and calls them.
//
// A [Method] is declared once, as a value: its name, what it is for, its typed
// params and result, its handler. The [Registry] checks every declaration
// against the contract in package schemas and is the only way from any protocol
// or command to a handler: it validates params,
// recovers panics, counts and times.
//
// The package knows no domain, reads no file and writes to no stream.
package rpc
