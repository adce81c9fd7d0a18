// Package fakebackend is a small in-memory backend of entities, for tests and for trying
// the toolset out. It answers like the real backend, with the same project scope, order,
// paging, wildcards and quirks. It records the requests and can simulate faults.
//
// It validates less than the real backend and is read-only: its rows are set when it is
// created.
package fakebackend
