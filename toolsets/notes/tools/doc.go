// Package tools has the toolset "notes": tools with which an agent reads the notes
// of a vault and the graph that their links make. Each reads its params, asks one
// snapshot, and answers in the words of the contract.
//
// It reaches no file but through package vault.
package tools
