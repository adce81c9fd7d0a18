package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/user"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/tasks"
)

// taskParams holds the params of all task tools. The user comes from the caller.
type taskParams struct {
	ID          json.Number `json:"task_id,omitempty"`
	Title       *string     `json:"title,omitempty"`
	Description *string     `json:"description,omitempty"`
	Status      *string     `json:"status,omitempty"`
}

type listedTask struct {
	ID          int64
	Title       string
	Description *string
	Completed   bool
}

type changedTask struct {
	TaskID int64 `json:"task_id"`
	Status string
	Title  string
}

// tasksCommand holds the state shared by the subcommands of "catalog tasks".
type tasksCommand struct {
	app      *app
	flags    *pflag.FlagSet // persistent flags of the subcommands
	database string
	user     string
}

func (a *app) tasksCommand() *cobra.Command {
	t := &tasksCommand{app: a}
	cmd := &cobra.Command{
		Use:   "tasks",
		Short: "Manage the tasks that agents keep for you",
		Long: `Lists and changes the tasks of one user. An agent sees the same tasks if "catalog
serve --tasks" serves the same database.`,
		Example: `  catalog tasks --tasks tasks.db add "Buy milk"
  catalog tasks --tasks tasks.db list --status pending`,
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	t.flags = cmd.PersistentFlags()
	t.flags.StringVar(&t.database, "tasks", "", "the `database`: a file, or postgres://… (CATALOG_TASKS)")
	t.flags.StringVar(&t.user, "user", "", "the tasks of this `user` (default the name of the system's user)")
	cmd.AddCommand(t.list(), t.add(), t.done(), t.reopen(), t.edit(), t.rm())
	return cmd
}

func (t *tasksCommand) list() *cobra.Command {
	var status string
	cmd := &cobra.Command{
		Use:     "list",
		Short:   "List the tasks",
		Example: `  catalog tasks list --tasks tasks.db --status pending`,
		Args:    arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return callTasks(cmd.Context(), t, "tasks/list_tasks", taskParams{Status: &status}, t.app.printTasks)
		},
	}
	cmd.Flags().StringVar(&status, "status", "all", "only `which`: all, pending, completed")
	return cmd
}

func (t *tasksCommand) add() *cobra.Command {
	var description string
	cmd := &cobra.Command{
		Use:     "add TITLE",
		Short:   "Add a task",
		Example: `  catalog tasks add --tasks tasks.db "Buy milk" --description "two litres"`,
		Args:    arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return t.change(cmd.Context(), "tasks/add_task", taskParams{Title: &args[0], Description: &description})
		},
	}
	cmd.Flags().StringVar(&description, "description", "", "the description, a `text`")
	return cmd
}

func (t *tasksCommand) done() *cobra.Command {
	return t.onOne("done", "Mark a task as completed", "tasks/complete_task")
}

// reopen changes the store directly. No tool reopens a task, because agents have no
// reason to.
func (t *tasksCommand) reopen() *cobra.Command {
	return &cobra.Command{
		Use:     "reopen ID",
		Short:   "Mark a completed task as open again",
		Example: "  catalog tasks reopen --tasks tasks.db 3",
		Args:    arguments(1, 1),
		RunE:    func(cmd *cobra.Command, args []string) error { return t.reopenTask(cmd.Context(), args[0]) },
	}
}

func (t *tasksCommand) reopenTask(ctx context.Context, text string) error {
	user, database, err := t.target()
	if err != nil {
		return err
	}
	store, err := openStore(database)
	if err != nil {
		return fmt.Errorf("tasks: %w", err)
	}
	defer store.Close()
	number, _ := taskNumber(text).Int64()
	id, err := tasks.NewTaskID(number)
	if err != nil {
		return err
	}
	title, err := tasks.For(store.Repository(tasks.UserID(user))).Reopen(ctx, id)
	if failed, ok := errors.AsType[*tasks.FailedError](err); ok {
		t.app.logger().Error("the store of tasks failed", "cause", failed.Cause)
		return fmt.Errorf("%w: %s", err, databaseHint)
	}
	if err != nil {
		return err
	}
	t.app.printTask(changedTask{TaskID: int64(id), Status: "reopened", Title: title})
	return nil
}

// databaseFailed is the code of database errors.
var databaseFailed = rpc.NewError(rpc.Unavailable, "", nil).Code

// databaseHint is the advice for a database error.
const databaseHint = "check that the database is reachable, writable and was made by this program; the log line has the cause"

func (t *tasksCommand) rm() *cobra.Command {
	return t.onOne("rm", "Delete a task permanently", "tasks/delete_task")
}

// onOne returns a command whose only argument is the id of a task.
func (t *tasksCommand) onOne(name, short, method string) *cobra.Command {
	return &cobra.Command{
		Use:     name + " ID",
		Short:   short,
		Example: "  catalog tasks " + name + " --tasks tasks.db 3",
		Args:    arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return t.change(cmd.Context(), method, taskParams{ID: taskNumber(args[0])})
		},
	}
}

func (t *tasksCommand) edit() *cobra.Command {
	var title, description string
	cmd := &cobra.Command{
		Use:     "edit ID",
		Short:   "Change the title or the description of a task",
		Example: `  catalog tasks edit --tasks tasks.db 3 --title "Buy oat milk"`,
		Args:    arguments(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p := taskParams{ID: taskNumber(args[0])}
			if cmd.Flags().Changed("title") {
				p.Title = &title
			}
			if cmd.Flags().Changed("description") {
				p.Description = &description
			}
			return t.change(cmd.Context(), "tasks/update_task", p)
		},
	}
	cmd.Flags().StringVar(&title, "title", "", "the new title, a `text`")
	cmd.Flags().StringVar(&description, "description", "", "the new description, a `text`; an empty one removes it")
	return cmd
}

// taskNumber returns the task number in an argument. For any other text it returns 0,
// which no task has, so that the tool rejects it.
func taskNumber(text string) json.Number {
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		return "0"
	}
	return json.Number(text)
}

func (t *tasksCommand) change(ctx context.Context, method string, p taskParams) error {
	return callTasks(ctx, t, method, p, t.app.printTask)
}

// callTasks calls a tool as the user and prints the result.
func callTasks[R any](ctx context.Context, t *tasksCommand, method string, p taskParams, human func(R)) error {
	registry, caller, err := t.open()
	if err != nil {
		return err
	}
	ctx = rpc.WithCaller(ctx, caller)
	return running(ctx, registry, func() error {
		raw, err := t.app.callOn(ctx, registry, method, p)
		if err != nil {
			if failed, ok := errors.AsType[*rpc.Error](err); ok && failed.Code == databaseFailed {
				err = fmt.Errorf("%s: %s", failed.Message, databaseHint)
			}
			t.app.complain(err)
			return errFindings
		}
		_, err = showResult(t.app, raw, human)
		return err
	})
}

// open returns a registry with only the tasks toolset, and the caller.
func (t *tasksCommand) open() (*rpc.Registry, rpc.Caller, error) {
	name, database, err := t.target()
	if err != nil {
		return nil, rpc.Caller{}, err
	}
	values := map[string]string{"tasks": database, "tasks-user": name}
	toolset, err := openTasks(toolsetConfig{value: func(flag string) string { return values[flag] }, log: t.app.logger()})
	if err != nil {
		return nil, rpc.Caller{}, fmt.Errorf("tasks: %w", err)
	}
	registry, err := t.app.registryOf(toolset)
	return registry, rpc.Caller{User: name}, err
}

// target returns the user whose tasks to use, and the database.
func (t *tasksCommand) target() (user, database string, err error) {
	for _, flag := range []string{"tasks", "user"} {
		if t.flags.Changed(flag) && t.flags.Lookup(flag).Value.String() == "" {
			return "", "", emptyFlag(flag)
		}
	}
	if user, err = t.userName(); err != nil {
		return "", "", err
	}
	if database = cmp.Or(t.database, t.app.env("CATALOG_TASKS")); database == "" {
		return "", "", errors.New("the database is missing: give --tasks FILE, or set CATALOG_TASKS")
	}
	return user, database, nil
}

func (t *tasksCommand) userName() (string, error) {
	if t.user != "" {
		return t.user, nil
	}
	current, err := user.Current()
	if err != nil {
		return "", fmt.Errorf("the name of the system's user is unknown: give --user: %w", err)
	}
	return current.Username, nil
}

func (a *app) printTasks(found []listedTask) {
	rows := [][]string{{"ID", "DONE", "TITLE", "DESCRIPTION"}}
	for _, task := range found {
		done, description := "-", ""
		if task.Completed {
			done = "yes"
		}
		if task.Description != nil {
			description = *task.Description
		}
		rows = append(rows, []string{strconv.FormatInt(task.ID, 10), done, task.Title, description})
	}
	if len(found) > 0 {
		a.printTable(table{heading: rows[0], rows: rows[1:]})
	}
	fmt.Fprintln(a.stdout, count(len(found), "task", "tasks"))
}

func (a *app) printTask(task changedTask) {
	fmt.Fprintln(a.stdout, oneLine(fmt.Sprintf("%s %d: %s", task.Status, task.TaskID, task.Title)))
}
