package mcp_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/mcp"
	"instruction-catalog/rpc/rpctest"
	"instruction-catalog/rpc/stdio"
)

// newServer returns a server of MCP for a toolset.
func newServer() (*mcp.Server, *rpc.Registry) {
	log := slog.New(slog.DiscardHandler)
	registry := rpc.NewRegistry(log, time.Now)
	if err := registry.Add((&rpctest.Things{}).Toolset()); err != nil {
		panic(err)
	}
	server, err := mcp.New(mcp.Config{Registry: registry, Name: "things", Version: "1.0.0", Tools: mcp.DefaultTools, Log: log})
	if err != nil {
		panic(err)
	}
	return server, registry
}

// On a pipe, MCP is spoken beside the bare methods.
func Example() {
	protocol, registry := newServer()
	server := &stdio.Server{
		Registry: registry, Protocol: protocol, Log: slog.New(slog.DiscardHandler),
		MaxLine: stdio.DefaultMaxLine, Grace: time.Second,
	}
	const lines = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
{"jsonrpc":"2.0","id":2,"method":"things/list_things","params":{"user_id":"ann"}}
`
	if err := server.Serve(context.Background(), strings.NewReader(lines), os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Unordered output:
	// {"jsonrpc":"2.0","id":1,"result":{"capabilities":{"completions":{},"logging":{},"tools":{}},"instructions":"Things are kept here.","protocolVersion":"2025-11-25","serverInfo":{"name":"things","version":"1.0.0"}}}
	// {"jsonrpc":"2.0","id":2,"result":[]}
}

// Over HTTP, whoever serves the handler says who asks.
func ExampleServer_Handler() {
	server, _ := newServer()
	handler := server.Handler()
	http.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		caller := rpc.Caller{User: "ann"} // whose token it was
		handler.ServeHTTP(w, r.WithContext(rpc.WithCaller(r.Context(), caller)))
	})
	handler.Drain(context.Background()) // when the server ends
}
