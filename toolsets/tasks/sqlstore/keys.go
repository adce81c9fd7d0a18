package sqlstore

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"time"

	"instruction-catalog/toolsets/tasks"
)

// SQL statements for idempotency keys. $1 is always the user.
const (
	expireKeys = `DELETE FROM task_keys WHERE user_id = $1 AND added <= $2`
	claimKey   = `INSERT INTO task_keys (user_id, idempotency_key, params, task_id, added) VALUES ($1, $2, $3, 0, $4)
ON CONFLICT (user_id, idempotency_key) DO NOTHING`
	setKey = `UPDATE task_keys SET task_id = $3 WHERE user_id = $1 AND idempotency_key = $2`
	getKey = `SELECT params, task_id FROM task_keys WHERE user_id = $1 AND idempotency_key = $2`
)

// keyed is a task to add with an idempotency key.
type keyed struct {
	user               tasks.UserID
	key                tasks.Key
	title, description string
}

// AddOnce implements [tasks.Repository].
func (r *Repository) AddOnce(ctx context.Context, key tasks.Key, title, description string) (id tasks.TaskID, err error) {
	k := keyed{r.user, key, title, description}
	var same bool
	err = r.db.Write(ctx, Repeatable, func(tx *sql.Tx) error {
		claimed, err := k.claim(ctx, tx)
		if err != nil {
			return err
		}
		if claimed {
			same = true
			id, err = k.add(ctx, tx)
			return err
		}
		id, same, err = k.earlier(ctx, tx)
		return err
	})
	if err == nil && !same {
		err = tasks.ErrKeyReused
	}
	return id, err
}

// claim removes the expired keys of the user and inserts the key. It returns false if the
// user already has the key. It waits for a concurrent transaction that inserts the key.
func (k keyed) claim(ctx context.Context, tx *sql.Tx) (claimed bool, err error) {
	now := time.Now()
	if _, err := tx.ExecContext(ctx, expireKeys, string(k.user), now.Add(-tasks.KeyLifetime).Unix()); err != nil {
		return false, err
	}
	result, err := tx.ExecContext(ctx, claimKey, string(k.user), string(k.key), k.params(), now.Unix())
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n > 0, err
}

// add adds the task and stores its id with the claimed key.
func (k keyed) add(ctx context.Context, tx *sql.Tx) (id tasks.TaskID, err error) {
	if err := tx.QueryRowContext(ctx, insert, string(k.user), k.title, k.description).Scan(&id); err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, setKey, string(k.user), string(k.key), int64(id))
	return id, err
}

// earlier returns the id of the task that was added with the key, and whether it was
// added with the same params.
func (k keyed) earlier(ctx context.Context, tx *sql.Tx) (id tasks.TaskID, same bool, err error) {
	var params string
	err = tx.QueryRowContext(ctx, getKey, string(k.user), string(k.key)).Scan(&params, &id)
	return id, params == k.params(), err
}

// params returns a hash of the title and the description, which do not contain NUL.
func (k keyed) params() string {
	sum := sha256.Sum256([]byte(k.title + "\x00" + k.description))
	return hex.EncodeToString(sum[:])
}
