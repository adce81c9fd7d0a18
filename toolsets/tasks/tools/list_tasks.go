package tools

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/tasks"
)

const (
	agentLimit     = 50   // maximum number of tasks for an agent that sets no limit
	maxLimit       = 1000 // maximum value of the limit param
	maxAnswer      = 6000 // maximum size in bytes of an answer to an agent that sets no limit
	manyTasks      = 10   // if there are more tasks, an agent gets short descriptions
	maxDescription = 200  // maximum length of a short description, in code points
)

// listed is a task as list_tasks returns it.
type listed struct {
	ID          tasks.TaskID `json:"id"`
	Title       string       `json:"title"`
	Description *string      `json:"description"`
	Completed   bool         `json:"completed"`
}

// list is a page of tasks.
type list struct {
	shown []listed
	total int  // number of all matching tasks
	more  bool // whether there are tasks after the shown ones
}

// Shape implements rpc.Shaped.
func (l *list) Shape() any { return []listed{} }

// EncodeJSON implements rpc.Encoder.
func (l *list) EncodeJSON() rpc.JSON {
	encoded, err := rpc.Encode(l.shown)
	if err != nil {
		panic("tasks: " + err.Error()) // strings and numbers always encode
	}
	return encoded
}

// Meta implements rpc.Annotated.
func (l *list) Meta() map[string]any {
	meta := map[string]any{"instruction-catalog/total": l.total}
	if l.more {
		meta["instruction-catalog/nextCursor"] = strconv.FormatInt(int64(l.shown[len(l.shown)-1].ID), 10)
	}
	return meta
}

func (t *toolset) listTasks() rpc.Method {
	return declare(t, rpc.Method{
		Name:  "list_tasks",
		Title: "List tasks",
		Summary: "Retrieve user's tasks with optional status filter. Long descriptions in long lists are cut and end with …; " +
			"limit: 10 shows them whole.",
		Doc: "The result is an array, by ID; it is empty where no task fits. An empty description is null. An agent gets 50 tasks at " +
			"most without `limit`, and no more than 6,000 bytes; `_meta` has the total, and a cursor if there is more. A bare call " +
			"without `limit` gets all.",
		Effect: rpc.Reads,
		Tool:   rpc.Tool{Budget: rpc.Budget{Bytes: maxAnswer}},
	}, func(ctx context.Context, p *params) (*list, error) {
		p.only("user_id", "status", "limit", "cursor")
		user, status, limit, after := p.user(), tasks.All, p.count("limit", maxLimit), p.after()
		if given := p.text("status"); given != nil {
			status = tasks.Status(*given)
		}
		if p.err != nil {
			return nil, p.err
		}
		found, err := t.of(user).List(ctx, status)
		if err != nil {
			return nil, err
		}
		return newList(found, after, limit, rpc.BudgetOf(ctx) > 0), nil
	})
}

// after returns the id of the last task of the previous page, or 0.
func (p *params) after() tasks.TaskID {
	cursor := p.text("cursor")
	if cursor == nil {
		return 0
	}
	id, err := strconv.ParseInt(*cursor, 10, 64)
	if err != nil || id < 1 {
		p.fail("cursor must be one that list_tasks gave, or be left out")
	}
	return tasks.TaskID(id)
}

// newList returns the page of tasks whose ids are greater than after. limit is 0 if none
// was given.
func newList(found []tasks.Task, after tasks.TaskID, limit int, agent bool) *list {
	l := &list{shown: []listed{}, total: len(found)}
	cut := agent && len(found) > manyTasks && (limit == 0 || limit > manyTasks)
	rest := found[slices.IndexFunc(append(found, tasks.Task{ID: after + 1}), func(t tasks.Task) bool { return t.ID > after }):]
	most := limit
	switch {
	case limit > 0:
	case agent:
		most = agentLimit
	default:
		most = len(rest)
	}
	for _, task := range rest[:min(most, len(rest))] {
		l.shown = append(l.shown, newListed(task, cut))
	}
	for agent && limit == 0 && len(l.shown) > 1 && l.EncodeJSON().Len() > maxAnswer {
		l.shown = l.shown[:len(l.shown)-1]
	}
	l.more = len(l.shown) < len(rest)
	return l
}

func newListed(task tasks.Task, cut bool) listed {
	shown := listed{ID: task.ID, Title: task.Title, Completed: task.Completed}
	if description := task.Description; description != "" {
		if runes := []rune(description); cut && len(runes) > maxDescription {
			description = strings.TrimRight(string(runes[:maxDescription-1]), " ") + tasks.CutMark
		}
		shown.Description = &description
	}
	return shown
}
