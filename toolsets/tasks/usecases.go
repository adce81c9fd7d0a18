package tasks

import (
	"context"
	"errors"
	"strings"
	"time"
)

// Limit is how long a use case waits for the store. What takes longer fails and
// is not carried out later.
const Limit = 25 * time.Second

// Repository holds the tasks of one user. Its statements say whose they are, so
// that a task of somebody else is [ErrNotFound] like one that does not exist.
// Any other error is one of the store. It opens the store when a method is first
// called, not before.
type Repository interface {
	// Add stores a task and returns its id, once it would survive the end of
	// the process.
	Add(ctx context.Context, title, description string) (TaskID, error)
	// List returns the tasks with a status, by id. It changes nothing.
	List(ctx context.Context, status Status) ([]Task, error)
	// Complete, Reopen, Delete and Update return the title that the task then has, or
	// had.
	Complete(ctx context.Context, id TaskID) (title string, err error)
	Reopen(ctx context.Context, id TaskID) (title string, err error)
	Delete(ctx context.Context, id TaskID) (title string, err error)
	Update(ctx context.Context, id TaskID, change Change) (title string, err error)
}

// Store gives each user a repository.
type Store interface {
	Repository(user UserID) Repository
	Close() error
}

// UseCases are what one user can do. Their errors are [*InvalidError],
// [*NotFoundError] and [*FailedError]; what is invalid never reaches the store.
type UseCases struct{ repository Repository }

// For returns the use cases of the repository's user.
func For(repository Repository) UseCases { return UseCases{repository} }

// Add makes a task with a trimmed title.
func (u UseCases) Add(ctx context.Context, title, description string) (Task, error) {
	title, err := cleanTitle(title)
	if err != nil {
		return Task{}, err
	}
	if err := checkDescription(description); err != nil {
		return Task{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	id, err := u.repository.Add(ctx, title, description)
	return Task{ID: id, Title: title, Description: description}, failure(err, "Failed to create task", id)
}

// List returns the tasks with a status, by id.
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

// Complete marks a task as completed, also one that is, and returns its title.
func (u UseCases) Complete(ctx context.Context, id TaskID) (title string, err error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	title, err = u.repository.Complete(ctx, id)
	return title, failure(err, "Failed to complete task", id)
}

// Reopen marks a task as not completed, and returns its title.
func (u UseCases) Reopen(ctx context.Context, id TaskID) (title string, err error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	title, err = u.repository.Reopen(ctx, id)
	return title, failure(err, "Failed to reopen task", id)
}

// Delete removes a task for good and returns the title that it had.
func (u UseCases) Delete(ctx context.Context, id TaskID) (title string, err error) {
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	title, err = u.repository.Delete(ctx, id)
	return title, failure(err, "Failed to delete task", id)
}

// Update changes a title, a description or both, and returns the title that the
// task has then.
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

// refuseCut refuses a description of which the caller was shown only the beginning.
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

// failure turns an error of a repository into one for the caller.
func failure(err error, masked string, id TaskID) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, ErrNotFound):
		return &NotFoundError{id}
	case errors.Is(err, ErrUnknownOutcome):
		return &FailedError{ErrUnknownOutcome.Error(), err}
	default:
		return &FailedError{masked, err}
	}
}
