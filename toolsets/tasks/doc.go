// Package tasks manages the tasks of users, who cannot see each other's tasks. It
// defines what a task is, the operations on tasks, and their errors.
//
// A [Repository] holds the tasks of one user, is created for one call, and is accessed
// only through [UseCases]. The stores are in subpackages named after their technology.
// The tools for agents are in package tools. This package does not depend on SQL or
// JSON-RPC and keeps no state between calls.
package tasks
