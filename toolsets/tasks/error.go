package tasks

import "errors"

// ErrNotFound is the error of a [Repository] for a task that its user does not have,
// whether or not another user has it.
var ErrNotFound = errors.New("Task not found")

// ErrUnknownOutcome is the error of a [Repository] if the store may or may not have
// carried out a change.
var ErrUnknownOutcome = errors.New("the outcome of the change is unknown")

// ErrKeyReused is the error of a [Repository] for a [Key] that was used for a different
// task.
var ErrKeyReused = errors.New("the idempotency key was used for a different task")

// errTaskID is the error for an invalid task id.
var errTaskID = invalid("Invalid task ID: give a whole number from 1 on, as list_tasks shows it")

// InvalidError reports invalid input. Its text tells the caller what to correct.
type InvalidError struct{ Text string }

func (e *InvalidError) Error() string { return e.Text }

func invalid(text string) error { return &InvalidError{text} }

// NotFoundError reports that the user has no task with that id.
type NotFoundError struct{ ID TaskID }

func (e *NotFoundError) Error() string { return ErrNotFound.Error() }

// Unwrap returns [ErrNotFound].
func (e *NotFoundError) Unwrap() error { return ErrNotFound }

// FailedError reports that the store failed. Text is for the caller. Cause is only for
// the log.
type FailedError struct {
	Text  string
	Cause error
}

func (e *FailedError) Error() string { return e.Text }

// Unwrap returns the cause.
func (e *FailedError) Unwrap() error { return e.Cause }
