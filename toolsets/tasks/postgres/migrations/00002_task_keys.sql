-- +goose Up
CREATE TABLE task_keys (
    user_id         TEXT   NOT NULL,
    idempotency_key TEXT   NOT NULL,
    params          TEXT   NOT NULL,
    task_id         BIGINT NOT NULL,
    added           BIGINT NOT NULL,
    PRIMARY KEY (user_id, idempotency_key)
);
