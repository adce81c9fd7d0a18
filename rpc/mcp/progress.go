package mcp

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"instruction-catalog/rpc"
)

// interval is how often a client hears of progress.
const interval = 100 * time.Millisecond

// withProgress passes the progress of a call on to a client that asked for it:
// at the first report, at the last, and in between once in an interval. It only
// grows, also where the reports of several goroutines overtake each other.
func withProgress(ctx context.Context, req *mcp.CallToolRequest) context.Context {
	token := req.Params.GetProgressToken()
	if token == nil {
		return ctx
	}
	var mu sync.Mutex
	var told time.Time
	last := -1
	return rpc.WithProgress(ctx, func(done, total int) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); done > last && (done == total || now.Sub(told) >= interval) {
			told, last = now, done
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: float64(done), Total: float64(total),
			})
		}
	})
}
