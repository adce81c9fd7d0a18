package server_test

import (
	"fmt"
	"log/slog"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/server"
	"instruction-catalog/schemas"
)

// A registry has the methods of every server, and those of its toolsets.
func Example() {
	registry, err := server.NewRegistry(server.Config{
		Version: "1.0.0", Contract: rpc.Contract{Version: "1.0", Schemas: schemas.V1()},
		Log: slog.New(slog.DiscardHandler), Now: time.Now,
	})
	if err != nil {
		panic(err)
	}
	for _, m := range registry.Methods() {
		fmt.Println(m.Name)
	}
	// Output:
	// health/check
	// metrics/snapshot
	// rpc.discover
}
