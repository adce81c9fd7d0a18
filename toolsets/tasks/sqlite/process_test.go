package sqlite

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"testing"

	"instruction-catalog/toolsets/tasks"
)

var (
	killRounds = flag.Int("kill-rounds", 5, "how often a writing process is killed")
	sharedAdds = flag.Int("shared-adds", 800, "how many tasks the processes on one file add together")
)

// TestMain lets the test binary act as a writing process.
func TestMain(m *testing.M) {
	if path := os.Getenv("CATALOG_TEST_WRITE"); path != "" {
		if err := write(path, number("CATALOG_TEST_WRITERS"), number("CATALOG_TEST_ADDS")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			if failed, ok := errors.AsType[*tasks.FailedError](err); ok {
				fmt.Fprintln(os.Stderr, failed.Cause)
			}
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func number(name string) int {
	n, _ := strconv.Atoi(os.Getenv(name))
	return n
}

// write adds tasks with several concurrent writers and prints each id when it is
// acknowledged.
func write(path string, writers, adds int) error {
	d, err := New(path)
	if err != nil {
		return err
	}
	failed := make(chan error, writers)
	var mu sync.Mutex
	for range writers {
		go func() {
			for range adds {
				task, err := ofAnn(d).Add(context.Background(), "x", "")
				if err != nil {
					failed <- err
					return
				}
				mu.Lock()
				fmt.Println(task.ID)
				mu.Unlock()
			}
			failed <- nil
		}()
	}
	for range writers {
		err = errors.Join(err, <-failed)
	}
	return errors.Join(err, d.Close())
}

// process starts a writing process. ids yields the acknowledged ids.
func process(t *testing.T, path string, writers, adds int) (cmd *exec.Cmd, ids *bufio.Scanner) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "CATALOG_TEST_WRITE="+path,
		fmt.Sprint("CATALOG_TEST_WRITERS=", writers), fmt.Sprint("CATALOG_TEST_ADDS=", adds))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(io.Reader(out))
}

// stored returns the ids of all tasks.
func stored(t *testing.T, d *Database) []tasks.TaskID {
	t.Helper()
	found, err := ofAnn(d).List(t.Context(), tasks.All)
	if err != nil {
		t.Fatal(err, errors.Unwrap(err))
	}
	ids := make([]tasks.TaskID, len(found))
	for i, task := range found {
		ids[i] = task.ID
	}
	return ids
}

// together runs several processes that write to one new file, and checks that every add
// is acknowledged and stored.
func together(t *testing.T, processes, writers, adds int) {
	path := filepath.Join(t.TempDir(), "tasks.db")
	acknowledged := make([][]tasks.TaskID, processes)
	var group sync.WaitGroup
	for i := range processes {
		cmd, ids := process(t, path, writers, adds)
		group.Go(func() {
			for ids.Scan() {
				id, _ := strconv.ParseInt(ids.Text(), 10, 64)
				acknowledged[i] = append(acknowledged[i], tasks.TaskID(id))
			}
			if err := cmd.Wait(); err != nil {
				t.Errorf("a writing process: %v", err)
			}
		})
	}
	group.Wait()
	all := slices.Concat(acknowledged...)
	slices.Sort(all)
	if len(all) != processes*writers*adds || !slices.Equal(all, stored(t, open(t, path))) {
		t.Errorf("%d of %d adds were acknowledged and stored", len(all), processes*writers*adds)
	}
}

func TestTenProcessesStartAtOnce(t *testing.T) {
	t.Parallel()
	together(t, 10, 1, 1)
}

func TestManyProcessesWrite(t *testing.T) {
	t.Parallel()
	together(t, 4, 8, max(1, *sharedAdds/32))
}

// TestKilledWhileWriting checks that acknowledged tasks survive a killed process and
// that no id is reused, not even that of a deleted last task.
func TestKilledWhileWriting(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tasks.db")
	var last tasks.TaskID
	for round := range *killRounds {
		cmd, ids := process(t, path, 2, 1_000_000)
		var acknowledged []tasks.TaskID
		for range 1 + round%7 {
			if !ids.Scan() {
				t.Fatal("the process ended")
			}
			id, err := strconv.ParseInt(ids.Text(), 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			acknowledged = append(acknowledged, tasks.TaskID(id))
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		d := open(t, path)
		there := stored(t, d)
		for _, id := range acknowledged {
			if !slices.Contains(there, id) || id <= last {
				t.Fatalf("round %d: the task %d was acknowledged (before: up to %d), there are %v", round, id, last, there)
			}
		}
		last = there[len(there)-1]
		for _, id := range there {
			if _, err := ofAnn(d).Delete(t.Context(), id); err != nil {
				t.Fatal(err, errors.Unwrap(err))
			}
		}
		d.Close()
	}
}
