package tools

import (
	"context"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/tasks"
)

func (t *toolset) addTask() rpc.Method {
	return declare(t, rpc.Method{
		Name:    "add_task",
		Title:   "Add a task",
		Summary: "Create a new task for the user",
		Doc: "The title is stored without the white space around it. When the answer comes, the task is on disk. " +
			"IDs grow, and none is given twice.",
		Effect: rpc.Creates,
	}, func(ctx context.Context, p *params) (changed, error) {
		p.only("user_id", "title", "description")
		user, title, description := p.user(), orEmpty(p.text("title")), orEmpty(p.text("description"))
		if p.err != nil {
			return changed{}, p.err
		}
		task, err := t.of(user).Add(ctx, title, description)
		return changed{task.ID, "created", task.Title}, err
	})
}

// listed is a task as list_tasks shows it.
type listed struct {
	ID          tasks.TaskID `json:"id"`
	Title       string       `json:"title"`
	Description *string      `json:"description"`
	Completed   bool         `json:"completed"`
}

func (t *toolset) listTasks() rpc.Method {
	return declare(t, rpc.Method{
		Name:    "list_tasks",
		Title:   "List tasks",
		Summary: "Retrieve user's tasks with optional status filter",
		Doc:     "The result is an array, by ID; it is empty where no task fits. An empty description is null.",
		Effect:  rpc.Reads,
	}, func(ctx context.Context, p *params) ([]listed, error) {
		p.only("user_id", "status")
		user, status := p.user(), tasks.All
		if given := p.text("status"); given != nil {
			status = tasks.Status(*given)
		}
		if p.err != nil {
			return nil, p.err
		}
		found, err := t.of(user).List(ctx, status)
		result := make([]listed, len(found))
		for i, task := range found {
			result[i] = listed{ID: task.ID, Title: task.Title, Completed: task.Completed}
			if task.Description != "" {
				result[i].Description = &task.Description
			}
		}
		return result, err
	})
}

func (t *toolset) completeTask() rpc.Method {
	return declare(t, rpc.Method{
		Name:       "complete_task",
		Title:      "Complete a task",
		Summary:    "Mark a task as completed",
		Doc:        "A task that is completed already stays so. A task of another user is not found.",
		Effect:     rpc.Updates,
		Repeatable: true,
	}, func(ctx context.Context, p *params) (changed, error) {
		p.only("user_id", "task_id")
		user, id := p.user(), p.task()
		if p.err != nil {
			return changed{}, p.err
		}
		title, err := t.of(user).Complete(ctx, id)
		return changed{id, "completed", title}, err
	})
}

func (t *toolset) deleteTask() rpc.Method {
	return declare(t, rpc.Method{
		Name:       "delete_task",
		Title:      "Delete a task",
		Summary:    "Permanently remove a task",
		Doc:        "There is no way back. A task of another user is not found.",
		Effect:     rpc.Deletes,
		Repeatable: true,
	}, func(ctx context.Context, p *params) (changed, error) {
		p.only("user_id", "task_id")
		user, id := p.user(), p.task()
		if p.err != nil {
			return changed{}, p.err
		}
		title, err := t.of(user).Delete(ctx, id)
		return changed{id, "deleted", title}, err
	})
}

func (t *toolset) updateTask() rpc.Method {
	return declare(t, rpc.Method{
		Name:    "update_task",
		Title:   "Update a task",
		Summary: "Modify a task's title or description",
		Doc: "At least one of title and description is needed; what is left out stays as it is, and so does whether " +
			"the task is completed. An empty description takes it away. A task of another user is not found.",
		Effect:     rpc.Updates,
		Repeatable: true,
	}, func(ctx context.Context, p *params) (changed, error) {
		p.only("user_id", "task_id", "title", "description")
		user, id := p.user(), p.task()
		change := tasks.Change{Title: p.text("title"), Description: p.text("description")}
		if p.err != nil {
			return changed{}, p.err
		}
		title, err := t.of(user).Update(ctx, id, change)
		return changed{id, "updated", title}, err
	})
}
