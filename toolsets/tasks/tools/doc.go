// Package tools implements the toolset "tasks": five tools with which an agent manages a
// user's tasks. Each tool reads its params, runs one use case for one user, and answers
// in the form that the contract defines.
//
// The package keeps no state between calls and accesses stores only through
// [tasks.UseCases].
package tools
