-- +goose Up
CREATE TABLE task_keys (
    user_id         TEXT    NOT NULL,
    idempotency_key TEXT    NOT NULL,
    params          TEXT    NOT NULL,
    task_id         INTEGER NOT NULL,
    added           INTEGER NOT NULL,
    PRIMARY KEY (user_id, idempotency_key)
) STRICT;
