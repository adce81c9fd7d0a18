package bench

import (
	"context"
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"testing/iotest"

	"instruction-catalog/rpc"
)

// noticed returns the members of its result that a question must check.
func noticed(q *question) []string {
	switch q.name {
	case searchRanked, searchRankedCommon:
		return []string{"items"}
	case listAll:
		return []string{"hash", "count", "items"}
	case getOne:
		return []string{"item"}
	case diffByHash:
		return []string{"upToDate"}
	case diffUnchanged, diffStale:
		return []string{"added", "updated", "removed"}
	case trackOne:
		return []string{"id"}
	case verifyAll:
		return []string{"count", "issueCount"}
	}
	if strings.HasPrefix(q.name, "first page") {
		return []string{"items"}
	}
	return []string{"count", "items"}
}

// spoil returns a changed value.
func spoil(v any) any {
	switch v := v.(type) {
	case float64:
		return v + 1
	case bool:
		return !v
	case []any:
		return append([]any{map[string]any{"id": "spoiled"}}, v...)
	case map[string]any:
		return map[string]any{"id": "spoiled"}
	}
	return "spoiled"
}

func TestWrongAnswersAreNoticed(t *testing.T) {
	t.Parallel()
	corpus, err := folderForm.generate(t.Context(), t.TempDir(), 60, seed, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	registry, err := newRegistry(corpus.path)
	if err != nil {
		t.Fatal(err)
	}
	asked := questions(corpus)
	if len(asked) != questionCount(60) {
		t.Errorf("%d questions, and %d are counted", len(asked), questionCount(60))
	}
	for i := range asked {
		q := &asked[i]
		result, failure := registry.Call(context.Background(), q.method, q.params)
		if failure != nil {
			t.Fatal(q.name, failure)
		}
		if err := q.checkResult(result); err != nil {
			t.Error(err)
		}
		var right map[string]any
		if err := json.Unmarshal(result.Bytes(), &right); err != nil {
			t.Fatal(err)
		}
		for _, member := range noticed(q) {
			wrong := maps.Clone(right)
			wrong[member] = spoil(wrong[member])
			checkWrong(t, q, member+" spoiled", wrong)
			delete(wrong, member)
			checkWrong(t, q, "no "+member, wrong)
		}
		checkWrong(t, q, "null", nil)
	}
}

func checkWrong(t *testing.T, q *question, what string, result any) {
	t.Helper()
	if q.checkResult(rpc.JSON{encode(result)}) == nil {
		t.Errorf("%s: %s was not noticed", q.name, what)
	}
	line := encode(map[string]any{"jsonrpc": "2.0", "id": 1, "result": result})
	if q.checkLine(line) == nil {
		t.Errorf("%s: %s was not noticed in a line", q.name, what)
	}
}

// If a catalog has more entries than a request may name, there is no diff by entry.
func TestQuestionsBeyondMaxKnown(t *testing.T) {
	t.Parallel()
	c := &corpus{form: &bundleForm, truth: truth{entries: maxKnown + 1}}
	c.complete()
	if asked := questions(c); len(asked) != questionCount(maxKnown+1) {
		t.Errorf("%d questions, and %d are counted", len(asked), questionCount(maxKnown+1))
	}
}

func TestReadResponse(t *testing.T) {
	t.Parallel()
	tests := []struct {
		line string
		want string // part of the error; "" for none
	}{
		{`{"jsonrpc":"2.0","id":1,"result":{"count":2,"items":[{"id":"a"},{"id":"b"}]}}`, ""},
		{`{"result":{"items":[{"id":"a"},{}],"count":2},"id":1}`, ""},
		{`{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"on fire"}}`, "the server answers with the error {\"code\":-32000"},
		{`{"jsonrpc":"2.0","id":1,"result":{"items":{}}}`, "object"},
		{`{"jsonrpc":"2.0","id":1,"result":[]}`, "/result"},
		{`{"jsonrpc":"2.0","id":1,"result":{"items":[{"id":"a"}`, "EOF"},
		{`[]`, "array"},
		{``, "EOF"},
	}
	for _, test := range tests {
		a, err := readResponse(iotest.OneByteReader(strings.NewReader(test.line)))
		switch {
		case test.want == "" && (err != nil || !a.finds(2, 2) || a.Items[0].ID != "a"):
			t.Errorf("%s: %+v, %v", test.line, a, err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: error %v, want %q", test.line, err, test.want)
		}
	}
}
