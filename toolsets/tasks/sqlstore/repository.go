// Package sqlstore is the repository of tasks in SQL that SQLite, PostgreSQL and
// what speaks its protocol understand alike. Every statement names the user. How
// a database is reached, opened and set up is left to a [DB]; this package never
// opens one.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"

	"instruction-catalog/toolsets/tasks"
)

// ErrEmpty is what [DB.Read] returns for a database that was never written to:
// reading sets nothing up.
var ErrEmpty = errors.New("no database yet")

// DB runs statements, and opens the database where that is still to be done.
type DB interface {
	// Read calls fn for reading. It may call fn again.
	Read(ctx context.Context, fn func(*sql.DB) error) error
	// Write calls fn in a transaction that is on disk when Write returns nil and
	// has not happened when it returns an error. It may call fn again.
	Write(ctx context.Context, fn func(*sql.Tx) error) error
}

// Repository implements [tasks.Repository].
type Repository struct {
	db   DB
	user tasks.UserID
}

// NewRepository returns the tasks of one user, for one call.
func NewRepository(db DB, user tasks.UserID) *Repository { return &Repository{db, user} }

// The statements. The user is always $1.
const (
	insert = `INSERT INTO tasks (user_id, title, description) VALUES ($1, $2, $3) RETURNING id`

	// SelectAll and SelectStatus are exported for the test of the query plan.
	SelectAll    = `SELECT id, title, description, completed FROM tasks WHERE user_id = $1 ORDER BY id`
	SelectStatus = `SELECT id, title, description, completed FROM tasks WHERE user_id = $1 AND completed = $2 ORDER BY id`

	// Probe fails where the table is not what the others need.
	Probe = `SELECT id, user_id, title, description, completed FROM tasks WHERE 1 = 0`

	complete = `UPDATE tasks SET completed = TRUE WHERE user_id = $1 AND id = $2 RETURNING title`
	reopen   = `UPDATE tasks SET completed = FALSE WHERE user_id = $1 AND id = $2 RETURNING title`
	remove   = `DELETE FROM tasks WHERE user_id = $1 AND id = $2 RETURNING title`
	update   = `UPDATE tasks SET title = COALESCE($3, title), description = COALESCE($4, description)
WHERE user_id = $1 AND id = $2 RETURNING title`
)

// Add implements [tasks.Repository].
func (r *Repository) Add(ctx context.Context, title, description string) (id tasks.TaskID, err error) {
	err = r.db.Write(ctx, func(tx *sql.Tx) error {
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
	return r.change(ctx, complete, id)
}

// Reopen implements [tasks.Repository].
func (r *Repository) Reopen(ctx context.Context, id tasks.TaskID) (string, error) {
	return r.change(ctx, reopen, id)
}

// Delete implements [tasks.Repository].
func (r *Repository) Delete(ctx context.Context, id tasks.TaskID) (string, error) {
	return r.change(ctx, remove, id)
}

// Update implements [tasks.Repository].
func (r *Repository) Update(ctx context.Context, id tasks.TaskID, change tasks.Change) (string, error) {
	return r.change(ctx, update, id, change.Title, change.Description)
}

// change runs a statement on one task, which returns its title if the user has it.
func (r *Repository) change(ctx context.Context, statement string, id tasks.TaskID, values ...any) (title string, err error) {
	args := append([]any{string(r.user), int64(id)}, values...)
	err = r.db.Write(ctx, func(tx *sql.Tx) error {
		return tx.QueryRowContext(ctx, statement, args...).Scan(&title)
	})
	if errors.Is(err, sql.ErrNoRows) {
		err = tasks.ErrNotFound
	}
	return title, err
}
