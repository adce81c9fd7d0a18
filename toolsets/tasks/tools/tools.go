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
			"IDs grow, and none is given twice. If a call with an idempotency_key fails, repeat it with the same key: " +
			"within a day the user gets one task only, and its first answer again.",
		Effect: rpc.Creates,
	}, func(ctx context.Context, p *params) (changed, error) {
		p.only("user_id", "title", "description", "idempotency_key")
		user, title, description, key := p.user(), orEmpty(p.text("title")), orEmpty(p.text("description")), p.key()
		if p.err != nil {
			return changed{}, p.err
		}
		task, err := t.add(ctx, user, key, title, description)
		return changed{task.ID, "created", task.Title}, err
	})
}

// add adds a task. If there is a key, repeated calls add it only once.
func (t *toolset) add(ctx context.Context, user tasks.UserID, key tasks.Key, title, description string) (tasks.Task, error) {
	if key == "" {
		return t.of(user).Add(ctx, title, description)
	}
	return t.of(user).AddOnce(ctx, key, title, description)
}

func (t *toolset) completeTask() rpc.Method {
	return declare(t, rpc.Method{
		Name:       "complete_task",
		Title:      "Complete a task",
		Summary:    "Mark a task as completed",
		Doc:        "A task that is completed already stays so. A task of another user is not found.",
		Effect:     rpc.Updates,
		Repeatable: true,
		Tool:       rpc.Tool{Additive: true},
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
			"the task is completed. An empty description takes it away. A description that list_tasks cut is refused. A task of another user is not found.",
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
