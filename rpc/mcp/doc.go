// Package mcp is the protocol that agents speak: the Model Context Protocol, in
// the sessions of 2024-11-05 to 2025-11-25 and in the stateless form of
// 2026-07-28, over the connection of rpc/stdio or over HTTP.
//
// It derives tools from the methods of a registry, and adds up the resources,
// prompts, skills and guidance of its toolsets. The protocol itself is the work of
// the official Go SDK, of which this package is the only importer. What the SDK
// would drop, truncate or die of is refused before it: on a pipe it sees requests
// one at a time where order matters.
//
// The package never calls a handler: every call goes through the registry, with
// the user that it is from. It knows no domain, reads no file, and writes to no
// stream.
package mcp
