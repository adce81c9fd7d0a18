package tasks

import (
	"strings"
	"unicode/utf8"
)

// The longest texts, in code points.
const (
	MaxTitle       = 200
	MaxDescription = 1000
	MaxUserID      = 255
)

// CutMark ends a description of which a list shows only the beginning.
const CutMark = "…"

// UserID names who owns a task. It is opaque: 1 to [MaxUserID] code points, never
// trimmed, folded or normalised. Make one with [NewUserID].
type UserID string

// NewUserID returns the id if it can name a user.
func NewUserID(id string) (UserID, error) {
	if id == "" {
		return "", invalid("user_id is required")
	}
	if utf8.RuneCountInString(id) > MaxUserID {
		return "", invalid("user_id must be 255 characters or less")
	}
	// It stands for what could not be decoded: two users would become one.
	if strings.ContainsRune(id, utf8.RuneError) {
		return "", invalid("user_id must be text without the replacement character U+FFFD")
	}
	if err := storable("user_id", id); err != nil {
		return "", err
	}
	return UserID(id), nil
}

// TaskID names a task among those of all users. It is positive, and given once.
type TaskID int64

// NewTaskID returns the id if a task can have it.
func NewTaskID(id int64) (TaskID, error) {
	if id < 1 {
		return 0, errTaskID
	}
	return TaskID(id), nil
}

// Task is a task of one user. The title has no white space around it.
type Task struct {
	ID          TaskID
	Title       string
	Description string // "" for none
	Completed   bool
}

// Status says which tasks are listed.
type Status string

// The statuses.
const (
	All       Status = "all"
	Pending   Status = "pending"
	Completed Status = "completed"
)

// Change is what an update does to a task. What is nil stays as it is.
type Change struct {
	Title, Description *string
}

// cleanTitle trims a title and checks its length.
func cleanTitle(title string) (string, error) {
	title = strings.TrimSpace(title)
	if title == "" {
		return "", invalid("Title is required")
	}
	if utf8.RuneCountInString(title) > MaxTitle {
		return "", invalid("Title must be 200 characters or less")
	}
	return title, storable("title", title)
}

func checkDescription(description string) error {
	if utf8.RuneCountInString(description) > MaxDescription {
		return invalid("Description must be 1000 characters or less")
	}
	return storable("description", description)
}

// storable reports whether every store can keep a text as it is: PostgreSQL has
// no NUL and nothing but UTF-8.
func storable(name, text string) error {
	if strings.ContainsRune(text, 0) {
		return invalid(name + " must not contain the character NUL")
	}
	if !utf8.ValidString(text) {
		return invalid(name + " must be valid UTF-8")
	}
	return nil
}
