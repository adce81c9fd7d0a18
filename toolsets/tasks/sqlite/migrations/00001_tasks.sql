-- +goose Up
-- AUTOINCREMENT: the id of a deleted task is not given again.
CREATE TABLE tasks (
    id          INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id     TEXT    NOT NULL,
    title       TEXT    NOT NULL,
    description TEXT    NOT NULL,
    completed   INTEGER NOT NULL DEFAULT FALSE
) STRICT;

CREATE INDEX tasks_user_id_id ON tasks (user_id, id);
