package rpc

import "context"

type yieldKey struct{}

// WithYield returns a context in which [Yield] calls yield.
func WithYield(ctx context.Context, yield func()) context.Context {
	return context.WithValue(ctx, yieldKey{}, yield)
}

// Yield lets the requests after the current [Yielding] call be handled before it is
// answered. It does nothing in any other call.
func Yield(ctx context.Context) {
	if yield := YieldOf(ctx); yield != nil {
		yield()
	}
}

// YieldOf returns the function that [Yield] calls in a call with this context, or nil if
// the call is not [Yielding].
func YieldOf(ctx context.Context) func() {
	yield, _ := ctx.Value(yieldKey{}).(func())
	return yield
}
