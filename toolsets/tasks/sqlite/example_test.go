package sqlite_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/sqlite"
)

// Reading does not create the file; adding the first task does.
func ExampleNew() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "tasks.db")
	store, err := sqlite.New(name)
	if err != nil {
		log.Fatal(err)
	}
	defer store.Close()

	ctx := context.Background()
	ann := store.Repository("ann")
	none, err := ann.List(ctx, tasks.All)
	_, missing := os.Stat(name)
	fmt.Println(len(none), err, os.IsNotExist(missing))

	id, err := ann.Add(ctx, "Buy milk", "")
	_, missing = os.Stat(name)
	fmt.Println(id, err, missing)
	// Output:
	// 0 <nil> true
	// 1 <nil> <nil>
}
