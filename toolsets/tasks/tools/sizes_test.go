package tools_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"instruction-catalog/toolsets/tasks"
)

// fixed is a store in which every user has the same tasks.
type fixed []tasks.Task

func (f fixed) Repository(tasks.UserID) tasks.Repository { return fixedRepository{found: f} }
func (fixed) Close() error                               { return nil }

type fixedRepository struct {
	tasks.Repository
	found []tasks.Task
}

func (r fixedRepository) List(context.Context, tasks.Status) ([]tasks.Task, error) {
	return r.found, nil
}

// TestSizesOfLists logs what an agent's context pays for a list of 1,000 tasks. Run it with
// -v. Without a limit, that is at most 6,000 bytes.
func TestSizesOfLists(t *testing.T) {
	t.Parallel()
	for _, words := range []int{0, 20, 160} {
		store := make(fixed, 1000)
		for i := range store {
			store[i] = tasks.Task{ID: tasks.TaskID(i + 1), Title: fmt.Sprintf("Task %d of the project", i+1), Description: strings.Repeat("word ", words)}
		}
		s := start(t, store, "ann")
		s.initialize()
		t.Logf("descriptions of %d characters: %d bytes bare", 5*words, len(s.bare("list_tasks", "").value))
		for _, arguments := range []string{`{}`, `{"limit":10}`, `{"limit":50}`, `{"limit":1000}`} {
			shown, text, meta := s.page(arguments)
			t.Logf("%s: %d tasks in %d bytes", arguments, len(shown), len(text))
			if arguments == `{}` && (len(text) > 6000 || len(shown) == 0) || meta["instruction-catalog/total"] != 1000.0 {
				t.Errorf("%d tasks in %d bytes, meta %v", len(shown), len(text), meta)
			}
		}
	}
}
