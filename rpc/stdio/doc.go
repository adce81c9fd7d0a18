// Package stdio serves a registry to one client over a pair of byte streams,
// usually the standard input and output of a process. Each input line is one JSON-RPC 2.0
// message or batch; each output line is one answer or notification.
//
// Nothing that a client sends ends the session: a line that is not a request is
// answered with an error, and the next line is read. Answers are written in the order of
// the requests, except for calls outside the inline lane. Memory is bounded: the length of
// a line, the size of a batch and of its answers, and the number of calls outside the
// inline lane are limited. While the client does not read answers, the server reads no
// more input.
//
// Handlers may notify the client, and so may the additional protocol of the connection.
//
// The package does not depend on any methods. On its own it writes only answers.
package stdio
