// Package tools has the toolset "tasks": five tools with which an agent keeps a
// user's tasks. Each reads its params, asks one use case for one user, and says
// what came of it in the words of the contract.
//
// Nothing of it is kept between two calls, and it reaches no store but through
// [tasks.UseCases]: it knows no SQL.
package tools
