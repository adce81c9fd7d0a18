// Package mcp is what agents speak: the Model Context Protocol, in
// the sessions of 2024-11-05 to 2025-11-25 and in the stateless form of
// 2026-07-28, over the connection of rpc/stdio or over HTTP.
//
// It derives tools from the methods of a registry, and resources, prompts and
// skills from a library. The protocol itself is the work of the official Go
// SDK, of which this package is the only importer. What the SDK would drop,
// truncate or die of does not reach it: on a pipe it sees requests under ids of
// our own making, one at a time where order matters, and over HTTP what it would
// take for something else is refused before.
//
// The package never calls a handler: every call goes through the registry. It
// knows no catalog, reads no file, and writes to no stream.
package mcp
