package web_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/web"
)

// A server with tokens answers whoever has one, and says to MCP whose it is.
func Example() {
	tokens, err := web.ParseTokens("ann:0123456789abcdef\nbob:fedcba9876543210\n")
	if err != nil {
		panic(err)
	}
	log := slog.New(slog.DiscardHandler)
	server := web.New(web.Config{
		MCP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, "Hello %s", rpc.CallerOf(r.Context()).User)
		}),
		Drain: func(context.Context) {}, Tokens: tokens, Log: log, Grace: time.Second,
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- server.Serve(ctx, listener) }()

	request, err := http.NewRequest(http.MethodPost, "http://"+listener.Addr().String()+web.MCPPath, nil)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Authorization", "Bearer 0123456789abcdef")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	fmt.Println(answer.StatusCode, string(text))
	stop()
	fmt.Println(<-ended)
	// Output:
	// 200 Hello ann
	// <nil>
}
