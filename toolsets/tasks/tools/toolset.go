package tools

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
	"instruction-catalog/toolsets/tasks"
)

// ContractVersion is the version of the contract that the toolset implements.
const ContractVersion = "1.2"

// blockedAfter is how long a change may take before lists no longer wait for it.
const blockedAfter = 250 * time.Millisecond

// Config configures the toolset.
type Config struct {
	// Store holds the tasks.
	Store tasks.Store
	// Authenticated takes the user of each call from [rpc.Caller.User]. If it is false,
	// each call names its user in user_id, without authentication.
	Authenticated bool
	// Log receives the causes of store failures, which clients do not see.
	Log *slog.Logger
}

// toolset is the state that the methods share.
type toolset struct{ Config }

// New returns the toolset. It opens no store.
func New(config Config) rpc.Toolset {
	t := &toolset{config}
	return rpc.Toolset{
		Name:     "tasks",
		Contract: rpc.Contract{Version: ContractVersion, Schemas: schemas.For("tasks", "v1")},
		Methods:  []rpc.Method{t.addTask(), t.listTasks(), t.completeTask(), t.deleteTask(), t.updateTask()},
		Guidance: "The tools add_task, list_tasks, complete_task, update_task and delete_task keep the user's own task list. " +
			"Look at it with list_tasks before you change it, and delete only what the user wants gone.",
		Errors:       shaped,
		Limit:        tasks.Limit,
		BlockedAfter: blockedAfter,
		Close:        config.Store.Close,
	}
}

// method sets the fields that all methods have in common.
func (t *toolset) method(m rpc.Method) rpc.Method {
	m.Tool.Name, m.Tool.Default = m.Name, true
	m.Name = "tasks/" + m.Name
	m.Since, m.Stability, m.Lane = "1.0", rpc.Stable, rpc.Ordered
	m.ChecksParams = true
	if t.Authenticated {
		m.UserParam = "user_id"
	}
	return m
}

// of returns the use cases of one user, for one call.
func (t *toolset) of(user tasks.UserID) tasks.UseCases { return tasks.For(t.Store.Repository(user)) }

// failure is the JSON form of every error.
type failure struct {
	Error  string        `json:"error"`
	TaskID *tasks.TaskID `json:"task_id,omitempty"`
}

// refuse converts an error of a use case to the error of the call.
func (t *toolset) refuse(err error) error {
	said := failure{Error: err.Error()}
	if _, ok := errors.AsType[*tasks.InvalidError](err); ok {
		return rpc.NewError(rpc.Invalid, said.Error, said)
	}
	if missing, ok := errors.AsType[*tasks.NotFoundError](err); ok {
		said.TaskID = &missing.ID
		return rpc.NewError(rpc.NotFound, said.Error, said)
	}
	t.Log.Error("the store of tasks failed", "error", said.Error, "cause", errors.Unwrap(err))
	return rpc.NewError(rpc.Unavailable, said.Error, said)
}

// shaped converts an error that did not come from a handler to one with a [failure].
func shaped(_ context.Context, method string, f *rpc.Error) *rpc.Error {
	switch data := f.Data.(type) {
	case failure:
		return f
	case rpc.ParamIssues:
		return &rpc.Error{Code: f.Code, Message: data.Lines()[0], Data: failure{Error: data.Lines()[0]}}
	case rpc.Failure:
		return &rpc.Error{Code: f.Code, Message: masked[method], Data: failure{Error: masked[method]}}
	default:
		return &rpc.Error{Code: f.Code, Message: f.Message, Data: failure{Error: f.Message}}
	}
}

// masked maps each method to the message for an internal failure.
var masked = map[string]string{
	"tasks/add_task":      "Failed to create task",
	"tasks/list_tasks":    "Failed to list tasks",
	"tasks/complete_task": "Failed to complete task",
	"tasks/delete_task":   "Failed to delete task",
	"tasks/update_task":   "Failed to update task",
}

// changed is the result of the tools that create, change or delete a task.
type changed struct {
	TaskID tasks.TaskID `json:"task_id"`
	Status string       `json:"status"`
	Title  string       `json:"title"`
}

// declare returns a method whose handler receives its params without schema validation.
func declare[R any](t *toolset, m rpc.Method, handle func(context.Context, *params) (R, error)) rpc.Method {
	return rpc.Declare(t.method(m), func(ctx context.Context, raw json.RawMessage) (R, error) {
		result, err := handle(ctx, t.read(raw))
		if err != nil {
			return result, t.refuse(err)
		}
		return result, nil
	}, nil)
}
