package tasks

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Limit is the time limit of a use case. An operation that takes longer fails and is not
// carried out later.
const Limit = 25 * time.Second

// KeyLifetime is how long an idempotency key is kept.
const KeyLifetime = 24 * time.Hour

// Repository holds the tasks of one user. Every statement filters by that user, so
// another user's task yields [ErrNotFound], like a task that does not exist. Any other
// error is a failure of the store. The store is opened by the first call of a method.
type Repository interface {
	// Add stores a task and returns its id when the task is durable.
	Add(ctx context.Context, title, description string) (TaskID, error)
	// AddOnce is like Add, but returns the id of the task that the user added with the
	// same key in the last [KeyLifetime], if any. It returns [ErrKeyReused] if that task
	// was added with another title or description.
	AddOnce(ctx context.Context, key Key, title, description string) (TaskID, error)
	// List returns the tasks with a status, sorted by id. It changes nothing.
	List(ctx context.Context, status Status) ([]Task, error)
	// Complete, Reopen, Delete and Update return the title of the task after the call,
	// or for Delete the title that it had.
	Complete(ctx context.Context, id TaskID) (title string, err error)
	Reopen(ctx context.Context, id TaskID) (title string, err error)
	Delete(ctx context.Context, id TaskID) (title string, err error)
	Update(ctx context.Context, id TaskID, change Change) (title string, err error)
}

// Store provides the repository of each user.
type Store interface {
	Repository(user UserID) Repository
	Close() error
}

// UseCases are the operations available to one user. Their errors are [*InvalidError],
// [*NotFoundError] and [*FailedError]. Invalid input never reaches the store.
type UseCases struct{ repository Repository }

// For returns the use cases for the user of the repository.
func For(repository Repository) UseCases { return UseCases{repository} }

// Add creates a task. It trims the title.
func (u UseCases) Add(ctx context.Context, title, description string) (Task, error) {
	return add(ctx, title, description, u.repository.Add)
}

// AddOnce creates a task like [UseCases.Add], unless it was created by an earlier call
// with the same key. Then it returns that task.
func (u UseCases) AddOnce(ctx context.Context, key Key, title, description string) (Task, error) {
	task, err := add(ctx, title, description, func(ctx context.Context, title, description string) (TaskID, error) {
		return u.repository.AddOnce(ctx, key, title, description)
	})
	if errors.Is(err, ErrKeyReused) {
		err = invalid(fmt.Sprintf("idempotency_key %q was used for another title or description: give a new key", key))
	}
	return task, err
}

// add validates a task and stores it.
func add(ctx context.Context, title, description string, store func(ctx context.Context, title, description string) (TaskID, error)) (Task, error) {
	title, err := cleanTitle(title)
	if err != nil {
		return Task{}, err
	}
	if err := checkDescription(description); err != nil {
		return Task{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	id, err := store(ctx, title, description)
	return Task{ID: id, Title: title, Description: description}, failure(err, "Failed to create task", id)
}

// List returns the tasks with a status, sorted by id.
func (u UseCases) List(ctx context.Context, status Status) ([]Task, error) {
	switch status {
	case All, Pending, Completed:
	default:
		return nil, invalid(`status must be "all", "pending" or "completed"`)
	}
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	found, err := u.repository.List(ctx, status)
	return found, failure(err, "Failed to list tasks", 0)
}

// Complete marks a task as completed and returns its title. The task may already be
// completed.
func (u UseCases) Complete(ctx context.Context, id TaskID) (title string, err error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	title, err = u.repository.Complete(ctx, id)
	return title, failure(err, "Failed to complete task", id)
}

// Reopen marks a task as not completed and returns its title.
func (u UseCases) Reopen(ctx context.Context, id TaskID) (title string, err error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	title, err = u.repository.Reopen(ctx, id)
	return title, failure(err, "Failed to reopen task", id)
}

// Delete permanently removes a task and returns its former title.
func (u UseCases) Delete(ctx context.Context, id TaskID) (title string, err error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	title, err = u.repository.Delete(ctx, id)
	return title, failure(err, "Failed to delete task", id)
}

// Update changes the title, the description or both, and returns the resulting title.
func (u UseCases) Update(ctx context.Context, id TaskID, change Change) (title string, err error) {
	change, err = change.clean()
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	if err := u.refuseCut(ctx, id, change); err != nil {
		return "", err
	}
	title, err = u.repository.Update(ctx, id, change)
	return title, failure(err, "Failed to update task", id)
}

// refuseCut rejects a description that is only the cut beginning of the stored one.
func (u UseCases) refuseCut(ctx context.Context, id TaskID, change Change) error {
	if change.Description == nil || !strings.HasSuffix(*change.Description, CutMark) {
		return nil
	}
	found, err := u.repository.List(ctx, All)
	if err != nil {
		return failure(err, "Failed to update task", id)
	}
	beginning := strings.TrimSuffix(*change.Description, CutMark)
	for _, task := range found {
		if task.ID == id && task.Description != *change.Description && len(task.Description) > len(beginning) && strings.HasPrefix(task.Description, beginning) {
			return invalid("description is the beginning of the stored one: read it whole with list_tasks and limit: 10, and give all of it")
		}
	}
	return nil
}

func (c Change) clean() (Change, error) {
	if c.Title == nil && c.Description == nil {
		return c, invalid("At least title or description required")
	}
	if c.Title != nil {
		title, err := cleanTitle(*c.Title)
		if err != nil {
			return c, err
		}
		c.Title = &title
	}
	if c.Description != nil {
		return c, checkDescription(*c.Description)
	}
	return c, nil
}

// failure converts an error of a repository to one for the caller.
func failure(err error, masked string, id TaskID) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrNotFound):
		return &NotFoundError{id}
	case errors.Is(err, ErrUnknownOutcome):
		return &FailedError{"The outcome is unknown: list the tasks before you try again", err}
	default:
		return &FailedError{masked, err}
	}
}
