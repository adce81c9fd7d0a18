package v1_test

import (
	"bytes"
	"encoding/json"
	"testing"

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
				if want := compact(t, example.Result); got != want {
					t.Errorf("got\n%s\nthe contract says\n%s", got, want)
				}
				if issues, err := m.Schema().Result.Validate([]byte(got)); err != nil || len(issues) > 0 {
					t.Errorf("the result does not fit its schema: %v %v", issues, err)
				}
			})
		}
	}
}

func compact(t *testing.T, text []byte) string {
	t.Helper()
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
