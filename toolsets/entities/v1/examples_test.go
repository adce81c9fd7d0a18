package v1_test

import (
	"testing"

	"instruction-catalog/rpc/rpctest"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

// The examples of the contract are what the tools answer on the sample, and fit
// the schemas of their results.
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
