package tools_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/sqlite"
)

// shownTask is the form of a task that a client sees.
type shownTask struct {
	ID          int64
	Description string
}

// page calls list_tasks over MCP and returns the parts of the answer.
func (s *session) page(arguments string) (shown []shownTask, text string, meta map[string]any) {
	s.t.Helper()
	a := s.ask("tools/call", fmt.Sprintf(`{"name":"list_tasks","arguments":%s}`, arguments))
	var result struct {
		Content []struct{ Text string }
		Meta    map[string]any `json:"_meta"`
	}
	if err := json.Unmarshal(a.Result, &result); err != nil || len(result.Content) != 1 {
		s.t.Fatalf("%s: %v", a.Result, err)
	}
	text = result.Content[0].Text
	if err := json.Unmarshal([]byte(text), &shown); err != nil {
		s.t.Fatalf("%s: %v", text, err)
	}
	return shown, text, result.Meta
}

// TestLongLists checks that an agent gets each task of a long list once, in small pages,
// and that a bare call gets all of them.
func TestLongLists(t *testing.T) {
	t.Parallel()
	store, err := sqlite.New(filepath.Join(t.TempDir(), "tasks.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	ann := tasks.For(store.Repository("ann"))
	const n = 120
	long := strings.Repeat("Describe it. ", 40)
	for i := range n {
		if _, err := ann.Add(t.Context(), fmt.Sprint("task ", i), long); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, store, "ann")
	if all := s.bare("list_tasks", `{}`); strings.Count(all.value, long) != n {
		t.Errorf("a bare call lists %d", strings.Count(all.value, long))
	}
	if some := s.bare("list_tasks", `{"limit":3,"cursor":"2"}`); !strings.HasPrefix(some.value, `[{"id":3,`) || strings.Count(some.value, long) != 3 {
		t.Errorf("a bare page: %.100s", some.value)
	}
	s.initialize()
	cursor, seen := "", 0
	for range n {
		shown, text, meta := s.page(`{` + cursor + `}`)
		for _, task := range shown {
			if seen++; task.ID != int64(seen) || !strings.HasSuffix(task.Description, "…") || len([]rune(task.Description)) > 200 {
				t.Fatalf("at %d: %+v", seen, task)
			}
		}
		if len(text) > 6000 || meta["instruction-catalog/total"] != float64(n) {
			t.Errorf("%d bytes, meta %v", len(text), meta)
		}
		next, more := meta["instruction-catalog/nextCursor"]
		if !more {
			break
		}
		cursor = fmt.Sprintf(`"cursor":%q`, next)
	}
	if seen != n {
		t.Errorf("the pages have %d tasks", seen)
	}
	shown, _, _ := s.page(`{"limit":10}`)
	if len(shown) != 10 || shown[0].Description != long {
		t.Errorf("ten tasks: %.300v", shown)
	}
	if shown, _, _ = s.page(`{"limit":100}`); len(shown) != 100 || shown[0].Description == long {
		t.Errorf("%d tasks: %.300v", len(shown), shown[0])
	}
	cut, _ := json.Marshal(map[string]any{"task_id": 1, "description": shown[0].Description})
	if got := s.mcp("update_task", string(cut)); !got.failed || !strings.Contains(got.value, "description") {
		t.Errorf("a description that was cut: %+v", got)
	}
	for _, description := range []string{"Otherwise …", shown[0].Description[:20] + " and so on…"} {
		whole, _ := json.Marshal(map[string]any{"task_id": 2, "description": description})
		if got := s.mcp("update_task", string(whole)); got.failed {
			t.Errorf("%s: %+v", description, got)
		}
	}
}
