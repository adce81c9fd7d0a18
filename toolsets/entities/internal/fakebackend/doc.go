// Package fakebackend is a small backend of entities in memory, for tests and
// for trying the toolset out. It answers as the real one does, with the same
// scope, order, paging and wildcards, and with its quirks. It records what it is
// asked, and misbehaves on demand.
//
// It checks less than the real one does, and writes nothing: its rows are set
// before it is asked.
package fakebackend
