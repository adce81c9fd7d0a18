package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/tasks"
	"instruction-catalog/toolsets/tasks/postgres"
	"instruction-catalog/toolsets/tasks/sqlite"
	"instruction-catalog/toolsets/tasks/tools"
)

// tasksToolset is the toolset of tasks.
var tasksToolset = toolsetRow{
	name: "tasks",
	flags: []toolsetFlag{
		{name: "tasks", env: "CATALOG_TASKS", usage: "keep users' tasks in this `database`: a file, or postgres://…", rebase: rebaseTasks},
		{name: "tasks-user", env: "CATALOG_TASKS_USER", usage: "serve the tasks of this `user` only, on standard input", user: true},
	},
	open: openTasks,
}

func openTasks(c toolsetConfig) (rpc.Toolset, error) {
	if c.overHTTP && !c.namedUsers {
		return rpc.Toolset{}, errors.New("over HTTP each user needs a token: give --token-file a file with lines NAME:TOKEN")
	}
	user := c.value("tasks-user")
	if c.overHTTP && user != "" {
		return rpc.Toolset{}, errors.New("--tasks-user (CATALOG_TASKS_USER) is for standard input: over HTTP the token says who the user is; leave it out")
	}
	if user != "" {
		if _, err := tasks.NewUserID(user); err != nil {
			return rpc.Toolset{}, fmt.Errorf("--tasks-user: %w", err)
		}
	}
	store, err := openStore(c.value("tasks"))
	if err != nil {
		return rpc.Toolset{}, err
	}
	return tools.New(tools.Config{Store: store, Authenticated: c.overHTTP || user != "", Log: c.log}), nil
}

// scheme matches the scheme of a database that is not a plain file name. A single
// letter is a Windows drive.
var scheme = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+):`)

// settings matches the connection settings that libpq accepts in place of a URL.
var settings = regexp.MustCompile(`(?i)(^|\s)(host|hostaddr|port|dbname|database|user|password|passfile|service)\s*=`)

// openStore returns the store of a database without opening it. Its errors do not
// contain the value, which may hold a password.
func openStore(database string) (tasks.Store, error) {
	name := ""
	if match := scheme.FindStringSubmatch(database); match != nil {
		name = strings.ToLower(match[1])
	}
	switch name {
	case "":
		if settings.MatchString(database) {
			return nil, errors.New("this looks like settings of a PostgreSQL database: give postgres://USER@HOST:PORT/DATABASE, or sqlite:FILE where a file has that name")
		}
		return openFile(database)
	case "sqlite":
		return openFile(database[len("sqlite:"):])
	case "postgres", "postgresql":
		return postgres.New(name + database[len(name):])
	}
	return nil, fmt.Errorf("%q is not a known kind of database: give the name of a file, sqlite:FILE or postgres://USER@HOST/DATABASE", name)
}

func openFile(name string) (tasks.Store, error) {
	if name == "" || strings.ContainsRune(name, 0) {
		return nil, errors.New("the file is missing: give the name of a file for the database")
	}
	return sqlite.New(name)
}

// rebaseTasks converts the path in a file name or a sqlite: URL with pathOf. It leaves
// other URLs unchanged.
func rebaseTasks(database string, pathOf func(string) (string, error)) (string, error) {
	prefix := ""
	if match := scheme.FindString(database); strings.EqualFold(match, "sqlite:") {
		prefix = match
	} else if match != "" {
		return database, nil
	}
	path, err := pathOf(database[len(prefix):])
	return prefix + path, err
}
