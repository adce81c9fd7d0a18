package stdio_test

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/stdio"
)

// A line that is not a request is answered, and does not end the session.
func ExampleServer() {
	log := slog.New(slog.DiscardHandler)
	server := stdio.Server{
		Registry: rpc.NewRegistry(log, time.Now),
		Log:      log,
		MaxLine:  stdio.DefaultMaxLine,
		Grace:    time.Second,
	}
	input := "hello\n" + `{"jsonrpc":"2.0","id":"a","method":"nothing"}` + "\n"
	if err := server.Serve(context.Background(), strings.NewReader(input), os.Stdout); err != nil {
		panic(err)
	}
	// Output:
	// {"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"parse error: line 1, column 1: unexpected 'h'"}}
	// {"jsonrpc":"2.0","id":"a","error":{"code":-32601,"message":"method \"nothing\" not found: rpc.discover lists all methods"}}
}
