package watch_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"instruction-catalog/catalog/watch"
)

func ExampleWatcher_Run() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	ctx, stop := context.WithCancel(context.Background())
	scan := func(context.Context, []string) ([]string, error) {
		members, err := os.ReadDir(dir)
		switch {
		case len(members) == 0:
			go os.WriteFile(filepath.Join(dir, "new.md"), nil, 0o600)
		default:
			fmt.Println("found", members[0].Name())
			stop()
		}
		return []string{"."}, err
	}
	watch.New(dir, scan, slog.New(slog.DiscardHandler)).Run(ctx)
	// Output: found new.md
}
