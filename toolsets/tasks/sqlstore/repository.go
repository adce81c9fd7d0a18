// Package sqlstore implements the repository of tasks in SQL that works on SQLite and on
// servers that speak the PostgreSQL protocol. Every statement filters by user. A [DB]
// opens, prepares and accesses the database; this package never opens one.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"instruction-catalog/toolsets/tasks"
)

// ErrEmpty is the error of [DB.Read] for a database without a schema. Only writing
// creates the schema.
var ErrEmpty = errors.New("no database yet")

// DB runs statements, and opens the database if necessary.
type DB interface {
	// Read calls fn for reading. It may call fn several times.
	Read(ctx context.Context, fn func(*sql.DB) error) error
	// Write calls fn in a transaction. If Write returns nil, the transaction is
	// committed and on disk. If it returns an error other than
	// [tasks.ErrUnknownOutcome], nothing was changed. Write may call fn several times,
	// but after a commit with an unknown outcome only if repeat is Repeatable.
	Write(ctx context.Context, repeat Repeat, fn func(*sql.Tx) error) error
}

// Repeat says whether a transaction may be repeated after it was committed.
type Repeat bool

// The values of Repeat.
const (
	Once       Repeat = false
	Repeatable Repeat = true
)

// Repository implements [tasks.Repository].
type Repository struct {
	db   DB
	user tasks.UserID
}

// NewRepository returns the repository of one user, for one call.
func NewRepository(db DB, user tasks.UserID) *Repository { return &Repository{db, user} }

// SQL statements. $1 is always the user.
const (
	insert = `INSERT INTO tasks (user_id, title, description) VALUES ($1, $2, $3) RETURNING id`

	// SelectAll and SelectStatus are exported for testing their query plan.
	SelectAll    = `SELECT id, title, description, completed FROM tasks WHERE user_id = $1 ORDER BY id`
	SelectStatus = `SELECT id, title, description, completed FROM tasks WHERE user_id = $1 AND completed = $2 ORDER BY id`

	complete = `UPDATE tasks SET completed = TRUE WHERE user_id = $1 AND id = $2 RETURNING title`
	reopen   = `UPDATE tasks SET completed = FALSE WHERE user_id = $1 AND id = $2 RETURNING title`
	remove   = `DELETE FROM tasks WHERE user_id = $1 AND id = $2 RETURNING title`
	update   = `UPDATE tasks SET title = COALESCE($3, title), description = COALESCE($4, description)
WHERE user_id = $1 AND id = $2 RETURNING title`
)

// Probes has a statement for each version of the schema. It fails if a column that the
// version added and this package needs is missing.
var Probes = []string{
	`SELECT id, user_id, title, description, completed FROM tasks WHERE 1 = 0`,
	`SELECT user_id, idempotency_key, params, task_id, added FROM task_keys WHERE 1 = 0`,
}

// Add implements [tasks.Repository].
func (r *Repository) Add(ctx context.Context, title, description string) (id tasks.TaskID, err error) {
	err = r.db.Write(ctx, Once, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, insert, string(r.user), title, description).Scan(&id)
	})
	return id, err
}

// List implements [tasks.Repository].
func (r *Repository) List(ctx context.Context, status tasks.Status) (found []tasks.Task, err error) {
	statement, args := SelectAll, []any{string(r.user)}
	if status != tasks.All {
		statement, args = SelectStatus, append(args, status == tasks.Completed)
	}
	err = r.db.Read(ctx, func(db *sql.DB) error {
		found = nil
		rows, err := db.QueryContext(ctx, statement, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var t tasks.Task
			if err := rows.Scan(&t.ID, &t.Title, &t.Description, &t.Completed); err != nil {
				return err
			}
			found = append(found, t)
		}
		return rows.Err()
	})
	if errors.Is(err, ErrEmpty) {
		return nil, nil
	}
	return found, err
}

// Complete implements [tasks.Repository].
func (r *Repository) Complete(ctx context.Context, id tasks.TaskID) (string, error) {
	return r.change(ctx, Repeatable, complete, id)
}

// Reopen implements [tasks.Repository].
func (r *Repository) Reopen(ctx context.Context, id tasks.TaskID) (string, error) {
	return r.change(ctx, Repeatable, reopen, id)
}

// Delete implements [tasks.Repository].
func (r *Repository) Delete(ctx context.Context, id tasks.TaskID) (string, error) {
	return r.change(ctx, Once, remove, id)
}

// Update implements [tasks.Repository].
func (r *Repository) Update(ctx context.Context, id tasks.TaskID, change tasks.Change) (string, error) {
	return r.change(ctx, Once, update, id, change.Title, change.Description)
}

// change runs a statement on one task. The statement returns the title if the user has
// that task; otherwise change returns [tasks.ErrNotFound].
func (r *Repository) change(ctx context.Context, repeat Repeat, statement string, id tasks.TaskID, values ...any) (title string, err error) {
	args := append([]any{string(r.user), int64(id)}, values...)
	err = r.db.Write(ctx, repeat, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, statement, args...).Scan(&title)
	})
	if errors.Is(err, sql.ErrNoRows) {
		err = tasks.ErrNotFound
	}
	return title, err
}
