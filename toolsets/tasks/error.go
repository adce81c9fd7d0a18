package tasks

import "errors"

// ErrNotFound is what a [Repository] answers for a task that its user does not
// have, whether or not another user has it.
var ErrNotFound = errors.New("Task not found")

// ErrUnknownOutcome is what a [Repository] answers if the store may or may not have
// carried out a change.
var ErrUnknownOutcome = errors.New("the outcome is unknown: list the tasks before you try again")

// errTaskID is the error for what cannot be the id of a task.
var errTaskID = invalid("Invalid task ID: give a whole number from 1 on, as list_tasks shows it")

// InvalidError says what the caller has to mend.
type InvalidError struct{ Text string }

func (e *InvalidError) Error() string { return e.Text }

func invalid(text string) error { return &InvalidError{text} }

// NotFoundError says that the user has no such task.
type NotFoundError struct{ ID TaskID }

func (e *NotFoundError) Error() string { return ErrNotFound.Error() }

// Unwrap returns [ErrNotFound].
func (e *NotFoundError) Unwrap() error { return ErrNotFound }

// FailedError says that the store could not do it. Text is for the caller; the
// cause is for the log only.
type FailedError struct {
	Text  string
	Cause error
}

func (e *FailedError) Error() string { return e.Text }

// Unwrap returns the cause.
func (e *FailedError) Unwrap() error { return e.Cause }
