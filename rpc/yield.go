package rpc

import "context"

type yieldKey struct{}

// WithYield returns a context whose call may [Yield], and that does what yield does.
func WithYield(ctx context.Context, yield func()) context.Context {
	return context.WithValue(ctx, yieldKey{}, yield)
}

// Yield lets the requests behind a [Yielding] call be answered before it. For any
// other call it does nothing.
func Yield(ctx context.Context) {
	if yield := YieldOf(ctx); yield != nil {
		yield()
	}
}

// YieldOf returns what the call with this context does to [Yield]; nil if it is not a
// [Yielding] one.
func YieldOf(ctx context.Context) func() {
	yield, _ := ctx.Value(yieldKey{}).(func())
	return yield
}
