package storetest

import (
	"errors"
	"strings"
	"testing"

	"instruction-catalog/toolsets/tasks"
)

func once(t *testing.T, s tasks.Store) {
	first, err := of(s, ann).AddOnce(t.Context(), "key", " title ", "description")
	check(t, first.Title, err, "title")
	again, err := of(s, ann).AddOnce(t.Context(), "key", "title", "description")
	check(t, again, err, first)
	for _, other := range []tasks.Key{"Key", "key ", "k%y"} {
		task, err := of(s, ann).AddOnce(t.Context(), other, "title", "description")
		if err != nil || task.ID <= first.ID {
			t.Errorf("another key: %v, %v", task, err)
		}
	}
	his, err := of(s, bob).AddOnce(t.Context(), "key", "his", "")
	if err != nil || his.ID <= first.ID {
		t.Errorf("the key of another user: %v, %v", his, err)
	}
	_, err = of(s, ann).AddOnce(t.Context(), "key", "title", "another description")
	if _, ok := errors.AsType[*tasks.InvalidError](err); !ok || !strings.Contains(err.Error(), `idempotency_key "key"`) {
		t.Errorf("another description: %v", err)
	}
	if _, err := of(s, ann).Delete(t.Context(), first.ID); err != nil {
		t.Fatal(cause(err))
	}
	again, err = of(s, ann).AddOnce(t.Context(), "key", "title", "description")
	check(t, again, err, first)
	if found := list(t, s, ann, tasks.All); len(found) != 3 {
		t.Errorf("listed %v", found)
	}
}

func onceAtOnce(t *testing.T, s tasks.Store) {
	const n = 20
	ids := make([]tasks.TaskID, n)
	atOnce(t, n, func(i int) error {
		task, err := of(s, ann).AddOnce(t.Context(), "key", "title", "")
		ids[i] = task.ID
		return err
	})
	found := list(t, s, ann, tasks.All)
	if len(found) != 1 {
		t.Fatalf("added %v, listed %v", ids, found)
	}
	for _, id := range ids {
		if id != found[0].ID {
			t.Errorf("added %v, listed %v", ids, found)
		}
	}
}
