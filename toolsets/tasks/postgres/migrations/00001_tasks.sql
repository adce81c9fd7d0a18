-- +goose Up
CREATE TABLE tasks (
    id          BIGINT  GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id     TEXT    NOT NULL,
    title       TEXT    NOT NULL,
    description TEXT    NOT NULL,
    completed   BOOLEAN NOT NULL DEFAULT FALSE
);

CREATE INDEX tasks_user_id_id ON tasks (user_id, id);
