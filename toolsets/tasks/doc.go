// Package tasks keeps the tasks of users who cannot see each other: what a task
// is, what may be done with one, and what is said when it may not.
//
// [UseCases] are the only way to a [Repository], which belongs to one user and is
// made for one call. Stores stand below this package, named by their technology;
// the tools that agents call stand in tools. This package knows neither SQL nor
// JSON-RPC, and keeps nothing between calls.
package tasks
