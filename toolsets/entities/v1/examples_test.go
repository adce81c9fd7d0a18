package v1_test

import (
	"testing"

	"instruction-catalog/rpc/rpctest"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

// TestExamples checks that the tools return the contract's examples for the sample data,
// and that the results fit their schemas.
func TestExamples(t *testing.T) {
	t.Parallel()
	f := newFixture(t, fakebackend.Sample())
	for _, m := range f.registry.Methods() {
		for _, example := range m.Schema().Examples() {
			t.Run(m.ToolName()+"/"+example.Name, func(t *testing.T) {
				got := f.call(t, m.ToolName(), string(example.Params))
				rpctest.HoldExample(t, m, example, got)
			})
		}
	}
}
