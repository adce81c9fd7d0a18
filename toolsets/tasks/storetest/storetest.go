// Package storetest is a test suite for stores of tasks. Each store runs it in its own
// tests. The suite accesses a store only through [tasks.UseCases].
package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"instruction-catalog/toolsets/tasks"
)

// Run runs the suite. Each call of open returns a store without tasks. Calls with the
// same t may return the same store.
func Run(t *testing.T, open func(t *testing.T) tasks.Store) {
	for _, tt := range []struct {
		name string
		test func(t *testing.T, s tasks.Store)
	}{
		{"a store without tasks", empty},
		{"what is added is listed", addAndList},
		{"a status", statuses},
		{"texts of all kinds", texts},
		{"what an update leaves alone", updates},
		{"a deleted task", deletes},
		{"users do not see each other", users},
		{"deletes at once", deletesAtOnce},
		{"updates at once", updatesAtOnce},
		{"adds at once", addsAtOnce},
		{"a cancelled call", cancelled},
		{"an idempotency key", once},
		{"an idempotency key at once", onceAtOnce},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.test(t, open(t)) })
	}
}

const ann, bob = tasks.UserID("ann"), tasks.UserID("bob")

// of returns new use cases of one user, as for one call.
func of(s tasks.Store, user tasks.UserID) tasks.UseCases { return tasks.For(s.Repository(user)) }

func add(t *testing.T, s tasks.Store, user tasks.UserID, title, description string) tasks.TaskID {
	t.Helper()
	task, err := of(s, user).Add(t.Context(), title, description)
	if err != nil {
		t.Fatalf("add: %v", cause(err))
	}
	return task.ID
}

func list(t *testing.T, s tasks.Store, user tasks.UserID, status tasks.Status) []tasks.Task {
	t.Helper()
	found, err := of(s, user).List(t.Context(), status)
	if err != nil {
		t.Fatalf("list: %v", cause(err))
	}
	return found
}

// cause returns the store's own error, which callers do not see.
func cause(err error) error {
	if failed, ok := errors.AsType[*tasks.FailedError](err); ok {
		return fmt.Errorf("%s: %w", failed.Text, failed.Cause)
	}
	return err
}

func check[T any](t *testing.T, got T, err error, want T) {
	t.Helper()
	if err != nil {
		t.Fatal(cause(err))
	}
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Fatalf("got %s, want %s", g, w)
	}
}

func notFound(t *testing.T, err error, id tasks.TaskID) {
	t.Helper()
	missing, ok := errors.AsType[*tasks.NotFoundError](err)
	if !ok || missing.ID != id || missing.Error() != "Task not found" {
		t.Fatalf("got %v, want that %d is not found", err, id)
	}
}

func empty(t *testing.T, s tasks.Store) {
	if found := list(t, s, ann, tasks.All); len(found) != 0 {
		t.Errorf("found %v", found)
	}
	for _, id := range []tasks.TaskID{1, math.MaxInt64} {
		_, err := of(s, ann).Complete(t.Context(), id)
		notFound(t, err, id)
		_, err = of(s, ann).Delete(t.Context(), id)
		notFound(t, err, id)
		title := "x"
		_, err = of(s, ann).Update(t.Context(), id, tasks.Change{Title: &title})
		notFound(t, err, id)
	}
}

func addAndList(t *testing.T, s tasks.Store) {
	first := add(t, s, ann, "  one\t", "about one")
	second := add(t, s, ann, "two", "")
	if first < 1 || second <= first {
		t.Errorf("ids %d, %d", first, second)
	}
	check(t, list(t, s, ann, tasks.All), nil, []tasks.Task{
		{ID: first, Title: "one", Description: "about one"}, {ID: second, Title: "two"},
	})
}

func statuses(t *testing.T, s tasks.Store) {
	a, b := add(t, s, ann, "a", ""), add(t, s, ann, "b", "")
	for range 2 { // completing twice is not an error
		title, err := of(s, ann).Complete(t.Context(), a)
		check(t, title, err, "a")
	}
	done, open := tasks.Task{ID: a, Title: "a", Completed: true}, tasks.Task{ID: b, Title: "b"}
	title, err := of(s, ann).Reopen(t.Context(), a)
	check(t, title, err, "a")
	check(t, list(t, s, ann, tasks.Completed), nil, []tasks.Task{})
	_, err = of(s, ann).Complete(t.Context(), a)
	check(t, title, err, "a")
	check(t, list(t, s, ann, tasks.Completed), nil, []tasks.Task{done})
	check(t, list(t, s, ann, tasks.Pending), nil, []tasks.Task{open})
	check(t, list(t, s, ann, tasks.All), nil, []tasks.Task{done, open})
}

// texts checks that texts are stored unchanged, including those that would be dangerous
// if SQL were built by concatenation.
func texts(t *testing.T, s tasks.Store) {
	for _, text := range []string{
		`'; DROP TABLE tasks; --`, `" OR "1"="1`, `$1 $2 ? ?1 :a @a`, `\'; SELECT 1; /*`, `%s%d%n`, "x' UNION SELECT user_id",
		"é e\u0301 Å Å", "日本語", "👩‍👩‍👧", "a\tb\nc\r\nd", "\u202eright to left", "\ufeffmark", "null", "\u0001",
		strings.Repeat("ß", tasks.MaxTitle), "\x7f", "\U0010ffff",
	} {
		user := tasks.UserID(text)
		id := add(t, s, user, text, text)
		want := tasks.Task{ID: id, Title: strings.TrimSpace(text), Description: text}
		check(t, list(t, s, user, tasks.All), nil, []tasks.Task{want})
	}
	long := strings.Repeat("𝄞", tasks.MaxUserID)
	id := add(t, s, tasks.UserID(long), "x", strings.Repeat("𝄞", tasks.MaxDescription))
	found := list(t, s, tasks.UserID(long), tasks.All)
	if len(found) != 1 || found[0].ID != id || len(found[0].Description) != 4*tasks.MaxDescription {
		t.Errorf("long texts: found %d tasks", len(found))
	}
}

func updates(t *testing.T, s tasks.Store) {
	id := add(t, s, ann, "title", "description")
	if _, err := of(s, ann).Complete(t.Context(), id); err != nil {
		t.Fatal(cause(err))
	}
	title, description, none := " new title ", "new description", ""
	for _, step := range []struct {
		change tasks.Change
		want   tasks.Task
	}{
		{tasks.Change{Title: &title}, tasks.Task{ID: id, Title: "new title", Description: "description", Completed: true}},
		{tasks.Change{Description: &description}, tasks.Task{ID: id, Title: "new title", Description: description, Completed: true}},
		{tasks.Change{Description: &none}, tasks.Task{ID: id, Title: "new title", Completed: true}},
	} {
		got, err := of(s, ann).Update(t.Context(), id, step.change)
		check(t, got, err, step.want.Title)
		check(t, list(t, s, ann, tasks.All), nil, []tasks.Task{step.want})
	}
}

func deletes(t *testing.T, s tasks.Store) {
	id := add(t, s, ann, "gone", "")
	title, err := of(s, ann).Delete(t.Context(), id)
	check(t, title, err, "gone")
	_, err = of(s, ann).Delete(t.Context(), id)
	notFound(t, err, id)
	check(t, list(t, s, ann, tasks.All), nil, nil)
	if next := add(t, s, bob, "next", ""); next <= id {
		t.Errorf("the id %d was given again, or one before it: %d", id, next)
	}
}

func users(t *testing.T, s tasks.Store) {
	id := add(t, s, ann, "hers", "")
	for _, other := range []tasks.UserID{bob, "Ann", "ANN", " ann", "ann ", "an%", "a_n", "ann'--"} {
		check(t, list(t, s, other, tasks.All), nil, nil)
		_, err := of(s, other).Complete(t.Context(), id)
		notFound(t, err, id)
		title := "his"
		_, err = of(s, other).Update(t.Context(), id, tasks.Change{Title: &title})
		notFound(t, err, id)
		_, err = of(s, other).Delete(t.Context(), id)
		notFound(t, err, id)
	}
	check(t, list(t, s, ann, tasks.All), nil, []tasks.Task{{ID: id, Title: "hers"}})
	composed, decomposed := tasks.UserID("\u00e9"), tasks.UserID("e\u0301")
	add(t, s, composed, "x", "")
	check(t, list(t, s, decomposed, tasks.All), nil, nil)
}

// atOnce calls f n times concurrently and returns the number of calls without an error.
// It fails the test on any error other than a missing task.
func atOnce(t *testing.T, n int, f func(i int) error) (succeeded int) {
	t.Helper()
	failures := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() { failures[i] = f(i) })
	}
	group.Wait()
	for _, err := range failures {
		switch {
		case err == nil:
			succeeded++
		case !errors.Is(err, tasks.ErrNotFound):
			t.Error(cause(err))
		}
	}
	return succeeded
}

func deletesAtOnce(t *testing.T, s tasks.Store) {
	id := add(t, s, ann, "gone", "")
	won := atOnce(t, 8, func(int) error {
		_, err := of(s, ann).Delete(t.Context(), id)
		return err
	})
	if won != 1 {
		t.Errorf("%d deletes succeeded, want 1", won)
	}
}

// updatesAtOnce checks that concurrent changes to the title and to the description do
// not undo each other.
func updatesAtOnce(t *testing.T, s tasks.Store) {
	id := add(t, s, ann, "title", "description")
	title, description := "new title", "new description"
	atOnce(t, 8, func(i int) error {
		change := tasks.Change{Title: &title}
		if i%2 == 0 {
			change = tasks.Change{Description: &description}
		}
		_, err := of(s, ann).Update(t.Context(), id, change)
		return err
	})
	check(t, list(t, s, ann, tasks.All), nil, []tasks.Task{{ID: id, Title: title, Description: description}})
}

func addsAtOnce(t *testing.T, s tasks.Store) {
	const n = 40
	ids := make([]tasks.TaskID, n)
	atOnce(t, n, func(i int) error {
		task, err := of(s, ann).Add(t.Context(), "x", "")
		ids[i] = task.ID
		return err
	})
	slices.Sort(ids)
	var listed []tasks.TaskID
	for _, task := range list(t, s, ann, tasks.All) {
		listed = append(listed, task.ID)
	}
	if !slices.Equal(ids, listed) || len(slices.Compact(ids)) != n {
		t.Errorf("added %v, listed %v", ids, listed)
	}
}

func cancelled(t *testing.T, s tasks.Store) {
	add(t, s, ann, "before", "")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := of(s, ann).Add(ctx, "after", "")
	if failed, ok := errors.AsType[*tasks.FailedError](err); !ok || failed.Text != "Failed to create task" {
		t.Errorf("got %v", err)
	}
	if found := list(t, s, ann, tasks.All); len(found) != 1 {
		t.Errorf("listed %d tasks, want 1", len(found))
	}
}
