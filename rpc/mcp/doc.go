// Package mcp implements a server for the Model Context Protocol: versions 2024-11-05 to
// 2025-11-25, which have sessions, and the stateless version 2026-07-28. It runs on a
// connection of rpc/stdio or over HTTP.
//
// It derives tools from the methods of a registry, and offers the resources, prompts,
// skills and guidance of all its toolsets. The official Go SDK implements the protocol
// itself; only this package imports it. The package rejects messages that the SDK would
// drop, truncate or crash on before passing them to the SDK. On a pipe it passes requests
// one at a time if their order matters.
//
// The package never calls a handler directly: every call goes through the registry, with
// its user. It does not depend on a domain, reads no files and writes to no streams.
package mcp
