package tasks_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/sqlite"
)

// Users have separate use cases and cannot see each other's tasks.
func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.New(filepath.Join(dir, "tasks.db"))
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()

	ctx := context.Background()
	ann := tasks.For(store.Repository("ann"))
	bob := tasks.For(store.Repository("bob"))
	added, err := ann.Add(ctx, " Buy milk ", "")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d %q\n", added.ID, added.Title)

	_, err = bob.Complete(ctx, added.ID)
	fmt.Println(err, errors.Is(err, tasks.ErrNotFound))
	_, err = ann.Add(ctx, "", "")
	fmt.Println(err)
	// Output:
	// 1 "Buy milk"
	// Task not found true
	// Title is required
}
