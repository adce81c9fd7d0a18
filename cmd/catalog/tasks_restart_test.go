package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"instruction-catalog/rpc/rpctest"
)

var restarts = flag.Int("restarts", 5, "how often TestRestartsOfPostgres restarts the server")

// TestRestartsOfPostgres restarts the database server while 20 clients add tasks, each
// with an idempotency key and waiting for each answer, and list them. No call fails, and
// every task exists once.
func TestRestartsOfPostgres(t *testing.T) {
	rpctest.Long(t)
	database, restart := os.Getenv("CATALOG_TEST_POSTGRES"), os.Getenv("CATALOG_TEST_POSTGRES_RESTART")
	if database == "" || restart == "" {
		t.Skip("CATALOG_TEST_POSTGRES names no server: run the test with .ci/postgres")
	}
	const clients = 20
	users := make([]string, clients)
	for i := range users {
		users[i] = fmt.Sprintf("restart-%d-%d", time.Now().UnixNano(), i)
	}
	s := serveTasks(t, database, users...)
	var over atomic.Bool
	var group sync.WaitGroup
	acknowledged := make([][]int64, clients)
	for i, user := range users {
		group.Go(func() {
			for n := 0; !over.Load(); n++ {
				acknowledged[i] = append(acknowledged[i], s.addOnce(user, n))
			}
		})
	}
	for i := range *restarts {
		time.Sleep(time.Second)
		mode := []string{"fast", "immediate"}[i%2]
		if out, err := exec.CommandContext(t.Context(), restart, mode).CombinedOutput(); err != nil {
			t.Errorf("restart (%s): %v\n%s", mode, err, out)
		}
	}
	time.Sleep(time.Second)
	over.Store(true)
	group.Wait()
	adds := 0
	for i, user := range users {
		if listed := s.taskIDs(user); !slices.Equal(listed, acknowledged[i]) {
			t.Errorf("%s: %d tasks were acknowledged and %d are listed", user, len(acknowledged[i]), len(listed))
		}
		adds += len(acknowledged[i])
	}
	if t.Failed() {
		_ = s.cmd.Process.Kill()
		log, _ := io.ReadAll(s.stderr)
		t.Logf("the log of the program:\n%s", log)
	}
	t.Logf("%d adds of %d clients during %d restarts", adds, clients, *restarts)
}

// addOnce adds the user's nth task and returns its id, which is 0 after a failure. Every
// tenth time it also lists the tasks.
func (s *httpServer) addOnce(user string, n int) int64 {
	s.t.Helper()
	answer := s.tool(user, "add_task", fmt.Sprintf(`{"title":"task %d","idempotency_key":"key %[1]d"}`, n))
	var added struct {
		ID int64 `json:"task_id"`
	}
	if err := json.Unmarshal([]byte(answer), &added); err != nil || added.ID == 0 {
		s.t.Errorf("%s: %s", user, answer)
	}
	if n%10 == 0 {
		if listed := s.tool(user, "list_tasks", `{"limit":1}`); strings.Contains(listed, `"error"`) {
			s.t.Errorf("%s: %s", user, listed)
		}
	}
	return added.ID
}

// taskIDs returns the ids of all tasks of a user.
func (s *httpServer) taskIDs(user string) (ids []int64) {
	s.t.Helper()
	arguments := `{"limit":1000}`
	for {
		var page struct{ Result []struct{ ID int64 } }
		if err := json.Unmarshal([]byte(s.tool(user, "list_tasks", arguments)), &page); err != nil {
			s.t.Fatal(err)
		}
		if len(page.Result) == 0 {
			return ids
		}
		for _, task := range page.Result {
			ids = append(ids, task.ID)
		}
		arguments = fmt.Sprintf(`{"limit":1000,"cursor":"%d"}`, ids[len(ids)-1])
	}
}
