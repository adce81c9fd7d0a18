package instructions

import (
	"context"

	"instruction-catalog/catalog/history"
	"instruction-catalog/rpc"
)

type subscribeParams struct{}

type subscribeResult struct {
	Subscribed bool `json:"subscribed"`
	history.State
}

type unsubscribeResult struct {
	Subscribed bool `json:"subscribed"`
}

// changed is the method name of the change notification.
const changed = "instructions/changed"

func (t *Toolset) subscribe() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/subscribe",
		Title:   "Subscribe to changes",
		Summary: "Get a notification after each change of the catalog.",
		Doc: "The answer has the current `hash` and `revision` of the catalog. From then on, moments after files have changed, " +
			"the server sends the notification `instructions/changed`. Its params:\n\n" +
			"| member | type | meaning |\n|---|---|---|\n" +
			"| `hash` | `string` | Current hash of the catalog. |\n" +
			"| `revision` | `string` | Current revision of the catalog. |\n" +
			"| `previous` | `object` | `hash` and `revision` of the previous notification, or of this answer. |\n" +
			"| `kept` | `integer`, optional | Since 1.6: number of broken files whose previous entries are still served. " +
			"If only this has changed, hash and revision are those of `previous`. |\n\n" +
			"```json\n" +
			`{"jsonrpc":"2.0","method":"instructions/changed","params":{"hash":"8b49…","revision":"5f0c…","previous":{"hash":"32ea…","revision":"a1d7…"}}}` +
			"\n```\n\n" +
			"Changes that occur while the client does not read are reported as one. Requests sent after a notification are answered from that state, or a later one: " +
			"`instructions/diff` with `since` returns the changes.\n\n" +
			"This method is for clients on a pipe that call methods themselves; MCP clients have `resources/subscribe` and " +
			"`subscriptions/listen`. A server that does not watch its files (`--no-watch`) refuses the call.",
		Since: "1.4", Stability: rpc.Stable, Effect: rpc.Reads, Tool: rpc.Tool{Never: true},
	}, func(ctx context.Context, _ subscribeParams) (subscribeResult, error) {
		connection := rpc.ConnectionOf(ctx)
		switch {
		case connection == nil:
			return subscribeResult{}, cannotSubscribe("there is no connection to send notifications to: subscribe on the pipe of `catalog serve`")
		case t.reloader == nil:
			return subscribeResult{}, cannotSubscribe("this server does not watch its files, so nothing will change: start it without --no-watch")
		}
		if _, err := t.snapshot(ctx); err != nil {
			return subscribeResult{}, err
		}
		now := t.notifier.listen(connection.Context(), connection, func(ctx context.Context, c change) {
			if err := connection.Notify(ctx, changed, c); err != nil {
				t.config.Log.Error("a notification cannot be encoded", "error", err)
			}
		})
		return subscribeResult{true, now}, nil
	}, nil)
}

func cannotSubscribe(why string) *rpc.Error {
	return &rpc.Error{Code: rpc.InvalidRequest, Message: "invalid request: " + why}
}

func (t *Toolset) unsubscribe() rpc.Method {
	return rpc.Declare(rpc.Method{
		Name:    "instructions/unsubscribe",
		Title:   "End a subscription",
		Summary: "Stop the notifications of changes.",
		Doc: "After the answer, no `instructions/changed` is sent until `instructions/subscribe` is called again. A client " +
			"that has not subscribed gets the same answer.",
		Since: "1.4", Stability: rpc.Stable, Effect: rpc.Reads, Tool: rpc.Tool{Never: true},
	}, func(ctx context.Context, _ subscribeParams) (unsubscribeResult, error) {
		t.notifier.ignore(rpc.ConnectionOf(ctx))
		return unsubscribeResult{}, nil
	}, nil)
}
