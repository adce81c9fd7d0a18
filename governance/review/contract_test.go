package review

import (
	"encoding/json"
	"testing"

	"instruction-catalog/schemas"
)

func encode(t testing.TB, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checkContract checks a result against the schema of prompt/review.
func checkContract(t *testing.T, result any) {
	t.Helper()
	m, ok := schemas.V1().Method("prompt/review")
	if !ok {
		t.Fatal("there is no schema of prompt/review")
	}
	data := encode(t, result)
	issues, err := m.Result.Validate([]byte(data))
	if err != nil || len(issues) > 0 {
		t.Errorf("it breaks the contract: %v %v\n%s", issues, err, data)
	}
}
