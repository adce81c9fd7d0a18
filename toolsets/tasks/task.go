package tasks

import (
	"strings"
	"unicode/utf8"
)

// Maximum lengths of texts, in code points.
const (
	MaxTitle       = 200
	MaxDescription = 1000
	MaxUserID      = 255
)

// CutMark ends a description that a list has cut.
const CutMark = "…"

// UserID identifies the owner of a task. It is opaque: 1 to [MaxUserID] code points,
// which are never trimmed, case-folded or normalized. Use [NewUserID] to create one.
type UserID string

// NewUserID validates a user id.
func NewUserID(id string) (UserID, error) {
	if id == "" {
		return "", invalid("user_id is required")
	}
	if utf8.RuneCountInString(id) > MaxUserID {
		return "", invalid("user_id must be 255 characters or less")
	}
	// U+FFFD replaces bytes that could not be decoded, so two different users could get
	// the same id.
	if strings.ContainsRune(id, utf8.RuneError) {
		return "", invalid("user_id must be text without the replacement character U+FFFD")
	}
	if err := storable("user_id", id); err != nil {
		return "", err
	}
	return UserID(id), nil
}

// TaskID identifies a task among those of all users. It is positive and never reused.
type TaskID int64

// NewTaskID validates a task id.
func NewTaskID(id int64) (TaskID, error) {
	if id < 1 {
		return 0, errTaskID
	}
	return TaskID(id), nil
}

// Task is a task of one user. Its title has no surrounding white space.
type Task struct {
	ID          TaskID
	Title       string
	Description string // "" if there is none
	Completed   bool
}

// Status selects tasks in a list.
type Status string

// Values of Status.
const (
	All       Status = "all"
	Pending   Status = "pending"
	Completed Status = "completed"
)

// Change is an update of a task. A nil field leaves that part unchanged.
type Change struct {
	Title, Description *string
}

// cleanTitle trims a title and validates it.
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

// storable returns an error if a store may be unable to keep the text unchanged:
// PostgreSQL accepts neither NUL nor invalid UTF-8.
func storable(name, text string) error {
	if strings.ContainsRune(text, 0) {
		return invalid(name + " must not contain the character NUL")
	}
	if !utf8.ValidString(text) {
		return invalid(name + " must be valid UTF-8")
	}
	return nil
}
