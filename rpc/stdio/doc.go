// Package stdio serves a registry to one client over a pair of byte streams,
// usually a process's standard input and output: one JSON-RPC 2.0 message or
// batch a line in, one answer a line out.
//
// Nothing that a client sends ends the session: a line that is not a request is
// answered as an error, and the next line is read. Answers come in the order
// of the requests, but for calls outside the inline lane. Memory is bounded
// whatever the client does: the length of a line, the size of a batch and of its
// answers and the number of calls outside the inline lane have limits, and while
// the client does not read, no more is read from it.
//
// A handler may notify the client, and so may the protocol that is spoken beside the
// bare methods.
//
// The package knows no method, and writes nothing of its own but answers.
package stdio
