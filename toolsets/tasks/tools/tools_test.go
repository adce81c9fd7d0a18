package tools_test

import (
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/jackc/pgx/v5/stdlib"

	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/postgres"
	"instruction-catalog/toolsets/tasks/sqlite"
)

// eachStore runs a test on an empty store of each kind. For PostgreSQL, it uses the
// server named in CATALOG_TEST_POSTGRES; .ci/postgres starts one.
func eachStore(t *testing.T, test func(t *testing.T, store tasks.Store)) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		store, err := sqlite.New(filepath.Join(t.TempDir(), "tasks.db"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		test(t, store)
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		store, err := postgres.New(emptySchema(t))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		test(t, store)
	})
}

func emptySchema(t *testing.T) string {
	t.Helper()
	name := os.Getenv("CATALOG_TEST_POSTGRES")
	if name == "" {
		t.Skip("CATALOG_TEST_POSTGRES names no server: run the tests with .ci/postgres")
	}
	u, err := url.Parse(name)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("pgx", name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	schema := "t" + strings.ToLower(rand.Text())
	if _, err := db.Exec("CREATE SCHEMA " + schema); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Exec("DROP SCHEMA " + schema + " CASCADE") })
	query := u.Query()
	query.Set("search_path", schema)
	u.RawQuery = query.Encode()
	return u.String()
}

// eachWay runs a test for every store, bare and over MCP.
func eachWay(t *testing.T, user string, test func(t *testing.T, call caller)) {
	eachStore(t, func(t *testing.T, store tasks.Store) {
		t.Run("bare", func(t *testing.T) { test(t, start(t, store, user).bare) })
	})
	eachStore(t, func(t *testing.T, store tasks.Store) {
		t.Run("mcp", func(t *testing.T) {
			s := start(t, store, user)
			s.initialize()
			test(t, s.mcp)
		})
	})
}

// step is a call and its expected result. An error begins with {"error":.
type step struct{ tool, arguments, want string }

func play(t *testing.T, call caller, steps []step) {
	t.Helper()
	for _, s := range steps {
		got := call(s.tool, s.arguments)
		if got.value != s.want || got.failed != strings.HasPrefix(s.want, `{"error":`) {
			t.Errorf("%s %s\n got %s (failed %v)\nwant %s", s.tool, short(s.arguments), got.value, got.failed, s.want)
		}
	}
}

func short(text string) string {
	if len(text) > 200 {
		return text[:200] + "…"
	}
	return text
}

func failed(text string) string { return `{"error":"` + text + `"}` }

func missing(id string) string { return `{"error":"Task not found","task_id":` + id + `}` }

// TestSpecification checks the tables of the specification in their order.
func TestSpecification(t *testing.T) {
	t.Parallel()
	long := func(n int) string { return strings.Repeat("ß", n) }
	steps := []step{
		// add_task
		{"add_task", `{"user_id":"ann","title":"Buy milk"}`, `{"task_id":1,"status":"created","title":"Buy milk"}`},
		{"add_task", `{"user_id":"ann","title":"  Call Bob\n","description":"About the flat"}`, `{"task_id":2,"status":"created","title":"Call Bob"}`},
		{"add_task", `{"user_id":"ann","title":""}`, failed("Title is required")},
		{"add_task", `{"user_id":"ann","title":" \t\u00a0\u2003"}`, failed("Title is required")},
		{"add_task", `{"user_id":"ann","title":null}`, failed("Title is required")},
		{"add_task", `{"user_id":"ann"}`, failed("Title is required")},
		{"add_task", `{"user_id":"ann","title":"` + long(201) + `"}`, failed("Title must be 200 characters or less")},
		{"add_task", `{"user_id":"ann","title":"` + long(201) + `","description":"` + long(1001) + `"}`, failed("Title must be 200 characters or less")},
		{"add_task", `{"user_id":"ann","title":"x","description":"` + long(1001) + `"}`, failed("Description must be 1000 characters or less")},
		{"add_task", `{"user_id":"bob","title":"  ` + long(200) + `  ","description":"` + long(1000) + `"}`, `{"task_id":3,"status":"created","title":"` + long(200) + `"}`},
		{"add_task", `{"user_id":"bob","title":"<a & b>","description":null}`, `{"task_id":4,"status":"created","title":"<a & b>"}`},
		{"add_task", `{"user_id":"bob","title":"none","description":""}`, `{"task_id":5,"status":"created","title":"none"}`},
		// complete_task
		{"complete_task", `{"user_id":"ann","task_id":1}`, `{"task_id":1,"status":"completed","title":"Buy milk"}`},
		{"complete_task", `{"user_id":"ann","task_id":1}`, `{"task_id":1,"status":"completed","title":"Buy milk"}`},
		{"complete_task", `{"user_id":"bob","task_id":1}`, missing("1")},
		{"complete_task", `{"user_id":"ann","task_id":99}`, missing("99")},
		// list_tasks
		{"list_tasks", `{"user_id":"ann"}`, `[{"id":1,"title":"Buy milk","description":null,"completed":true},{"id":2,"title":"Call Bob","description":"About the flat","completed":false}]`},
		{"list_tasks", `{"user_id":"ann","status":"all"}`, `[{"id":1,"title":"Buy milk","description":null,"completed":true},{"id":2,"title":"Call Bob","description":"About the flat","completed":false}]`},
		{"list_tasks", `{"user_id":"ann","status":null}`, `[{"id":1,"title":"Buy milk","description":null,"completed":true},{"id":2,"title":"Call Bob","description":"About the flat","completed":false}]`},
		{"list_tasks", `{"user_id":"ann","status":"pending"}`, `[{"id":2,"title":"Call Bob","description":"About the flat","completed":false}]`},
		{"list_tasks", `{"user_id":"ann","status":"completed"}`, `[{"id":1,"title":"Buy milk","description":null,"completed":true}]`},
		{"list_tasks", `{"user_id":"bob","status":"completed"}`, `[]`},
		{"list_tasks", `{"user_id":"cid"}`, `[]`},
		// update_task
		{"update_task", `{"user_id":"ann","task_id":1,"title":" Buy oat milk "}`, `{"task_id":1,"status":"updated","title":"Buy oat milk"}`},
		{"update_task", `{"user_id":"ann","task_id":2,"description":"","title":null}`, `{"task_id":2,"status":"updated","title":"Call Bob"}`},
		{"update_task", `{"user_id":"ann","task_id":99,"title":"x"}`, missing("99")},
		{"update_task", `{"user_id":"bob","task_id":1,"title":"x"}`, missing("1")},
		{"update_task", `{"user_id":"ann","task_id":1}`, failed("At least title or description required")},
		{"update_task", `{"user_id":"ann","task_id":1,"title":null,"description":null}`, failed("At least title or description required")},
		{"update_task", `{"user_id":"ann","task_id":1,"title":"` + long(201) + `"}`, failed("Title must be 200 characters or less")},
		{"update_task", `{"user_id":"bob","task_id":1,"title":"` + long(201) + `"}`, failed("Title must be 200 characters or less")},
		{"update_task", `{"user_id":"ann","task_id":99,"title":" "}`, failed("Title is required")},
		{"update_task", `{"user_id":"ann","task_id":1,"title":"","description":"x"}`, failed("Title is required")},
		{"update_task", `{"user_id":"ann","task_id":1,"description":"` + long(1001) + `"}`, failed("Description must be 1000 characters or less")},
		{"list_tasks", `{"user_id":"ann"}`, `[{"id":1,"title":"Buy oat milk","description":null,"completed":true},{"id":2,"title":"Call Bob","description":null,"completed":false}]`},
		// delete_task
		{"delete_task", `{"user_id":"bob","task_id":1}`, missing("1")},
		{"delete_task", `{"user_id":"ann","task_id":1}`, `{"task_id":1,"status":"deleted","title":"Buy oat milk"}`},
		{"delete_task", `{"user_id":"ann","task_id":1}`, missing("1")},
		{"delete_task", `{"user_id":"ann","task_id":9223372036854775807}`, missing("9223372036854775807")},
		{"delete_task", `{"user_id":"ann","task_id":9223372036854775807.0}`, missing("9223372036854775807")},
		{"delete_task", `{"user_id":"ann","task_id":9007199254740993.0}`, missing("9007199254740993")},
		{"delete_task", `{"user_id":"ann","task_id":1e18}`, missing("1000000000000000000")},
		{"delete_task", `{"user_id":"ann","task_id":0.0100E+3}`, missing("10")},
		{"delete_task", `{"user_id":"ann","task_id":100e-1}`, missing("10")},
		{"add_task", `{"user_id":"ann","title":"next"}`, `{"task_id":6,"status":"created","title":"next"}`},
		// idempotency_key
		{"add_task", `{"user_id":"ann","title":" once ","idempotency_key":"k 1"}`, `{"task_id":7,"status":"created","title":"once"}`},
		{"add_task", `{"user_id":"ann","title":"once","description":null,"idempotency_key":"k 1"}`, `{"task_id":7,"status":"created","title":"once"}`},
		{"add_task", `{"user_id":"ann","title":"twice","idempotency_key":"k 1"}`, `{"error":"idempotency_key \"k 1\" was used for another title or description: give a new key"}`},
		{"add_task", `{"user_id":"ann","title":"once","description":"x","idempotency_key":"k 1"}`, `{"error":"idempotency_key \"k 1\" was used for another title or description: give a new key"}`},
		{"add_task", `{"user_id":"ann","title":" ","idempotency_key":"k 1"}`, failed("Title is required")},
		{"add_task", `{"user_id":"bob","title":"once","idempotency_key":"k 1"}`, `{"task_id":8,"status":"created","title":"once"}`},
		{"add_task", `{"user_id":"bob","title":"once","idempotency_key":"` + long(200) + `"}`, `{"task_id":9,"status":"created","title":"once"}`},
		{"add_task", `{"user_id":"bob","title":"once","idempotency_key":null}`, `{"task_id":10,"status":"created","title":"once"}`},
		{"list_tasks", `{"user_id":"ann","status":"pending"}`, `[{"id":2,"title":"Call Bob","description":null,"completed":false},{"id":6,"title":"next","description":null,"completed":false},{"id":7,"title":"once","description":null,"completed":false}]`},
	}
	eachWay(t, "", func(t *testing.T, call caller) { play(t, call, steps) })
}

// TestBadInput checks that every tool rejects invalid input before it reaches a store.
func TestBadInput(t *testing.T) {
	t.Parallel()
	var steps []step
	for _, id := range []string{"0", "-1", "1.5", `"1"`, "null", "true", "[1]", `{"id":1}`, "9223372036854775808", "-9223372036854775808", "1e400", "-0",
		"0.9999999999999999999999", "1.0000000000000000000001", "1e-400", "1e19", "9223372036854775808.0", "1e99999999999999999999", `"1e0"`} {
		for _, tool := range []string{"complete_task", "delete_task", "update_task"} {
			title := ""
			if tool == "update_task" {
				title = `,"title":"x"`
			}
			steps = append(steps, step{tool, `{"user_id":"ann","task_id":` + id + title + `}`, failed("Invalid task ID: give a whole number from 1 on, as list_tasks shows it")})
		}
	}
	for _, tool := range []string{"add_task", "list_tasks", "complete_task", "delete_task", "update_task"} {
		steps = append(steps,
			step{tool, "", failed("user_id is required")},
			step{tool, `{}`, failed("user_id is required")},
			step{tool, `{"user_id":null}`, failed("user_id is required")},
			step{tool, `{"user_id":""}`, failed("user_id is required")},
			step{tool, `{"user_id":7}`, failed("user_id must be a string")},
			step{tool, `{"user_id":"` + strings.Repeat("x", 10_000) + `"}`, failed("user_id must be 255 characters or less")},
			step{tool, `{"user_id":"a\u0000b"}`, failed("user_id must not contain the character NUL")},
			step{tool, `{"user_id":"a\ud800"}`, failed("user_id must be text without the replacement character U+FFFD")},
			step{tool, `{"user_id":"ann","User_id":"bob"}`, unknown("User_id", tool)},
			step{tool, `{"user_id":"ann","` + strings.Repeat("x", 200) + `":1}`, unknown(strings.Repeat("x", 200), tool)},
			step{tool, `{"user_id":"ann","Title":"x"}`, unknown("Title", tool)},
		)
	}
	steps = append(steps,
		step{"complete_task", `{"user_id":"ann"}`, failed("Invalid task ID: give a whole number from 1 on, as list_tasks shows it")},
		step{"add_task", `{"user_id":"ann","title":7}`, failed("title must be a string")},
		step{"add_task", `{"user_id":"ann","title":["x"]}`, failed("title must be a string")},
		step{"add_task", `{"user_id":"ann","title":"a\u0000b"}`, failed("title must not contain the character NUL")},
		step{"add_task", `{"user_id":"ann","title":"x","description":false}`, failed("description must be a string")},
		step{"add_task", `{"user_id":"ann","title":"x","description":"\u0000"}`, failed("description must not contain the character NUL")},
		step{"add_task", `{"user_id":"ann","title":"x","idempotency_key":7}`, failed("idempotency_key must be a string")},
		step{"add_task", `{"user_id":"ann","title":"x","idempotency_key":""}`, failed("idempotency_key must be 1 to 200 characters")},
		step{"add_task", `{"user_id":"ann","title":"x","idempotency_key":"` + strings.Repeat("ß", 201) + `"}`, failed("idempotency_key must be 1 to 200 characters")},
		step{"add_task", `{"user_id":"ann","title":"x","idempotency_key":"\u0000"}`, failed("idempotency_key must not contain the character NUL")},
		step{"add_task", `{"user_id":"ann","title":"x","idempotency_key":"\ud800"}`, failed("idempotency_key must be text without the replacement character U+FFFD")},
		step{"update_task", `{"user_id":"ann","task_id":1,"description":"\u0000"}`, failed("description must not contain the character NUL")},
		step{"list_tasks", `{"user_id":"ann","status":"done"}`, `{"error":"status must be \"all\", \"pending\" or \"completed\""}`},
		step{"list_tasks", `{"user_id":"ann","status":"All"}`, `{"error":"status must be \"all\", \"pending\" or \"completed\""}`},
		step{"list_tasks", `{"user_id":"ann","status":""}`, `{"error":"status must be \"all\", \"pending\" or \"completed\""}`},
		step{"list_tasks", `{"user_id":"ann","status":1}`, failed("status must be a string")},
		step{"list_tasks", `{"user_id":"ann","limit":0}`, failed("limit must be a whole number from 1 to 1000")},
		step{"list_tasks", `{"user_id":"ann","limit":1001}`, failed("limit must be a whole number from 1 to 1000")},
		step{"list_tasks", `{"user_id":"ann","cursor":"x"}`, failed("cursor must be one that list_tasks gave, or be left out")},
	)
	store, err := sqlite.New(filepath.Join(t.TempDir(), "tasks.db"))
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, untouched{store}, "")
	play(t, s.bare, steps)
	play(t, s.bare, []step{{"list_tasks", `["ann"]`, failed("the params must be an object: pass them by name")}})
	s.initialize()
	play(t, s.mcp, steps)
}

// unknown returns the error for a parameter that a tool does not have.
func unknown(name, tool string) string {
	known := map[string]string{
		"add_task": "title, description, idempotency_key", "list_tasks": "status, limit, cursor", "complete_task": "task_id", "delete_task": "task_id",
		"update_task": "task_id, title, description",
	}
	return `{"error":"unknown parameter \"` + name + `\": the known ones are user_id, ` + known[tool] + `"}`
}

// untouched is a store that fails the test when used.
type untouched struct{ tasks.Store }

func (untouched) Repository(tasks.UserID) tasks.Repository {
	return untouchedRepository{}
}

// untouchedRepository has no methods, so that a call panics, which no test expects as an
// answer.
type untouchedRepository struct{ tasks.Repository }

// TestFailuresAreMasked checks that callers do not see the cause of a database failure.
func TestFailuresAreMasked(t *testing.T) {
	t.Parallel()
	steps := []step{
		{"add_task", `{"user_id":"ann","title":"x"}`, failed("Failed to create task")},
		{"list_tasks", `{"user_id":"ann"}`, failed("Failed to list tasks")},
		{"complete_task", `{"user_id":"ann","task_id":1}`, failed("Failed to complete task")},
		{"delete_task", `{"user_id":"ann","task_id":1}`, failed("Failed to delete task")},
		{"update_task", `{"user_id":"ann","task_id":1,"title":"x"}`, failed("Failed to update task")},
	}
	store, err := sqlite.New(filepath.Join(t.TempDir(), "missing", "tasks.db"))
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, store, "")
	play(t, s.bare, steps)
	s.initialize()
	play(t, s.mcp, steps)
	s = start(t, untouched{store}, "") // it panics when used
	s.initialize()
	play(t, s.mcp, steps)
}

// TestUsersOfTheServer checks that user_id may be omitted if the server has a user.
func TestUsersOfTheServer(t *testing.T) {
	t.Parallel()
	eachWay(t, "ann", func(t *testing.T, call caller) {
		play(t, call, []step{
			{"add_task", `{"title":"mine"}`, `{"task_id":1,"status":"created","title":"mine"}`},
			{"add_task", `{"user_id":"ann","title":"mine, too"}`, `{"task_id":2,"status":"created","title":"mine, too"}`},
			{"add_task", `{"title":""}`, failed("Title is required")},
			{"list_tasks", "", `[{"id":1,"title":"mine","description":null,"completed":false},{"id":2,"title":"mine, too","description":null,"completed":false}]`},
			{"complete_task", `{"task_id":9007199254740993}`, missing("9007199254740993")},
			{"add_task", `{"title":"x","Title":"y"}`, `{"error":"unknown parameter \"Title\": the known ones are title, description, idempotency_key"}`},
		})
		for _, user := range []string{`"bob"`, `"Ann"`, `7`, `["ann"]`} {
			got := call("list_tasks", `{"user_id":`+user+`}`)
			if !got.failed || !strings.Contains(got.value, "user_id") {
				t.Errorf("for %s: %s", user, got.value)
			}
		}
	})
}

// TestAuthenticatedParamsAreAnObject checks that params that cannot carry the user of the
// server never reach a method.
func TestAuthenticatedParamsAreAnObject(t *testing.T) {
	t.Parallel()
	s := start(t, untouched{}, "ann")
	for _, params := range []string{`["bob"]`, `[]`, `[{"user_id":"bob"}]`} {
		got := s.bare("list_tasks", params)
		if want := failed("this method takes its params by name: pass an object, not an array"); got.value != want {
			t.Errorf("%s: %s", params, got.value)
		}
	}
}

// TestToolsAreThoseOfTheSpecification checks that agents see the tools' schemas, without
// user_id if the server knows the user.
func TestToolsAreThoseOfTheSpecification(t *testing.T) {
	t.Parallel()
	const user = `"user_id":{"type":"string","description":"The authenticated user's ID"}`
	want := map[string]string{
		"add_task": `{"type":"object","properties":{` + user + `,"title":{"type":"string","description":"The task title (1-200 characters)","minLength":1,"maxLength":200},
			"description":{"type":"string","description":"Optional task description (max 1000 characters)","maxLength":1000},
			"idempotency_key":{"type":"string","description":"Text of your own for this task, repeated if the call is: within a day it adds one task only","minLength":1,"maxLength":200}},
			"required":["user_id","title"]}`,
		"list_tasks": `{"type":"object","properties":{` + user + `,"status":{"type":"string","description":"Filter tasks by status","enum":["all","pending","completed"],"default":"all"},
			"limit":{"type":"integer","description":"Maximum results to return","minimum":1,"maximum":1000,"default":50},
			"cursor":{"type":"string","description":"Where the page before ended: nextCursor of its _meta, or the last ID"}},"required":["user_id"]}`,
		"complete_task": `{"type":"object","properties":{` + user + `,"task_id":{"type":"integer","description":"The ID of the task to complete"}},"required":["user_id","task_id"]}`,
		"delete_task":   `{"type":"object","properties":{` + user + `,"task_id":{"type":"integer","description":"The ID of the task to delete"}},"required":["user_id","task_id"]}`,
		"update_task": `{"type":"object","properties":{` + user + `,"task_id":{"type":"integer","description":"The ID of the task to update"},
			"title":{"type":"string","description":"New task title (1-200 characters)","minLength":1,"maxLength":200},
			"description":{"type":"string","description":"New task description (max 1000 characters)","maxLength":1000}},"required":["user_id","task_id"]}`,
	}
	descriptions := map[string]string{
		"add_task": "Create a new task for the user", "list_tasks": "Retrieve user's tasks with optional status filter. Long descriptions in long lists are cut and end with …; limit: 10 shows them whole.",
		"complete_task": "Mark a task as completed", "delete_task": "Permanently remove a task", "update_task": "Modify a task's title or description",
	}
	for _, name := range []string{"", "ann"} {
		s := start(t, untouched{}, name)
		s.initialize()
		var list struct {
			Tools []struct {
				Name, Description string
				InputSchema       map[string]any
				OutputSchema      map[string]any
				Annotations       struct{ ReadOnlyHint, DestructiveHint bool }
			}
		}
		if err := json.Unmarshal(s.ask("tools/list", "").Result, &list); err != nil || len(list.Tools) != len(want) {
			t.Fatal(list, err)
		}
		for _, tool := range list.Tools {
			var schema map[string]any
			if err := json.Unmarshal([]byte(want[tool.Name]), &schema); err != nil {
				t.Fatal(tool.Name, err)
			}
			schema["additionalProperties"] = false
			if name != "" {
				delete(schema["properties"].(map[string]any), "user_id")
				schema["required"] = schema["required"].([]any)[1:]
			}
			if len(schema["required"].([]any)) == 0 {
				delete(schema, "required")
				if given, ok := tool.InputSchema["required"].([]any); ok && len(given) == 0 {
					delete(tool.InputSchema, "required")
				}
			}
			if got, want := asJSON(t, tool.InputSchema), asJSON(t, schema); got != want {
				t.Errorf("%s for %q\n got %s\nwant %s", tool.Name, name, got, want)
			}
			if tool.Description != descriptions[tool.Name] {
				t.Errorf("%s: %q", tool.Name, tool.Description)
			}
			if destroys := tool.Name == "delete_task" || tool.Name == "update_task"; tool.Annotations.DestructiveHint != destroys {
				t.Errorf("%s: destructiveHint %v", tool.Name, tool.Annotations.DestructiveHint)
			}
			if tool.Annotations.ReadOnlyHint != (tool.Name == "list_tasks") {
				t.Errorf("%s: readOnlyHint %v", tool.Name, tool.Annotations.ReadOnlyHint)
			}
			if output := asJSON(t, tool.OutputSchema); tool.Name == "list_tasks" && !strings.Contains(output, `"type":["string","null"]`) {
				t.Errorf("the output of list_tasks: %s", output)
			}
		}
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
