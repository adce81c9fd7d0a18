// Package tools implements the toolset "notes": tools for agents to read and change the
// notes of a vault and to explore the graph of their links. Each tool answers in the
// form that the contract defines.
//
// It reads files only through package vault, and changes them only through package
// writing.
package tools
