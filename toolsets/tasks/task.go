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
	MaxKey         = 200
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
	return UserID(id), distinct("user_id", id)
}

// Key is an idempotency key: of several calls with the same key, only the first adds a
// task. It is opaque, like a [UserID]. Use [NewKey] to create one.
type Key string

// NewKey validates an idempotency key.
func NewKey(key string) (Key, error) {
	if n := utf8.RuneCountInString(key); n < 1 || n > MaxKey {
		return "", invalid("idempotency_key must be 1 to 200 characters")
	}
	return Key(key), distinct("idempotency_key", key)
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

// distinct returns an error if a store may be unable to tell the text from another one.
// U+FFFD replaces bytes that could not be decoded, so two different texts could become
// the same.
func distinct(name, text string) error {
	if strings.ContainsRune(text, utf8.RuneError) {
		return invalid(name + " must be text without the replacement character U+FFFD")
	}
	return storable(name, text)
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
