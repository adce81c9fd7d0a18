// Package rpctest provides a small toolset for the tests of every protocol. It covers
// what the toolset of the instruction catalog does not: tools have names of their own,
// results are arrays and null, errors have a custom form as a specification might
// require, and calls belong to users. The package also has helpers for testing a toolset
// against its contract. No program imports it.
package rpctest

import (
	"context"
	"embed"
	"io/fs"
	"slices"
	"sync"

	"instruction-catalog/rpc"
	"instruction-catalog/schemas"
)

//go:embed v1/*.json
var documents embed.FS

// Things is a store of named things, each of which belongs to a user. The zero Things is
// empty, and its callers name the user in the params.
type Things struct {
	// PerUser restricts a call to the things of the authenticated user.
	PerUser bool
	// FailStart is the error that starting the toolset returns.
	FailStart error

	mu     sync.Mutex
	things []Thing
	closed bool
}

// Thing is a named thing.
type Thing struct {
	Name  string `json:"name"`
	Owner string `json:"owner"`
}

// Toolset returns the toolset "things": things/list_things, things/find_thing,
// things/add_thing and things/who_calls. The names of their tools have no prefix. The
// data of a failure is {"error": message, "method": name}.
func (t *Things) Toolset() rpc.Toolset {
	folder, err := fs.Sub(documents, "v1")
	if err != nil {
		panic(err) // the path is a constant
	}
	contract, err := schemas.Load(folder)
	if err != nil {
		panic(err) // the documents are part of the package
	}
	return rpc.Toolset{
		Name:     "things",
		Contract: rpc.Contract{Version: "1.0", Schemas: contract},
		Guidance: "Things are kept here.",
		Methods:  []rpc.Method{t.list(), t.find(), t.add(), whoCalls()},
		Errors: func(_ context.Context, method string, failure *rpc.Error) *rpc.Error {
			return &rpc.Error{Code: failure.Code, Message: failure.Message, Data: Failure{failure.Message, method}}
		},
		Start: func(context.Context) error { return t.FailStart },
		Close: t.close,
	}
}

// Failure is the data of an error of the toolset.
type Failure struct {
	Error  string `json:"error"`
	Method string `json:"method"`
}

// Closed reports whether the toolset was closed.
func (t *Things) Closed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.closed
}

func (t *Things) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	return nil
}

func method(name string, effect rpc.Effect) rpc.Method {
	return rpc.Method{
		Name: "things/" + name, Title: name, Summary: "Does " + name + ".", Doc: "For tests.", Since: "1.0",
		Stability: rpc.Stable, Effect: effect, Lane: rpc.Ordered, Tool: rpc.Tool{Name: name, Default: true},
	}
}

// method returns the declaration of a method that concerns the things of a user.
func (t *Things) method(name string, effect rpc.Effect) rpc.Method {
	m := method(name, effect)
	if t.PerUser {
		m.UserParam = "user_id"
	}
	return m
}

type listParams struct {
	User  string      `json:"user_id"`
	Order string      `json:"order"`
	Limit rpc.Integer `json:"limit"`
}

func (t *Things) list() rpc.Method {
	return rpc.Declare(t.method("list_things", rpc.Reads), func(_ context.Context, p listParams) ([]Thing, error) {
		t.mu.Lock()
		defer t.mu.Unlock()
		found := []Thing{}
		for _, thing := range t.things {
			if thing.Owner == p.User {
				found = append(found, thing)
			}
		}
		return found, nil
	}, nil)
}

type thingParams struct {
	User string `json:"user_id"`
	Name string `json:"name"`
}

func (t *Things) find() rpc.Method {
	return rpc.Declare(t.method("find_thing", rpc.Reads), func(_ context.Context, p thingParams) (*string, error) {
		t.mu.Lock()
		defer t.mu.Unlock()
		if slices.Contains(t.things, Thing{p.Name, p.User}) {
			return &p.User, nil
		}
		return nil, nil
	}, nil)
}

func (t *Things) add() rpc.Method {
	return rpc.Declare(t.method("add_thing", rpc.Creates), func(_ context.Context, p thingParams) (Thing, error) {
		t.mu.Lock()
		defer t.mu.Unlock()
		thing := Thing{p.Name, p.User}
		if slices.Contains(t.things, thing) {
			return Thing{}, rpc.NewError(rpc.Conflict, "there is a thing of this name", nil)
		}
		t.things = append(t.things, thing)
		return thing, nil
	}, nil)
}

type caller struct {
	User string        `json:"user"`
	Via  rpc.Transport `json:"via"`
}

func whoCalls() rpc.Method {
	return rpc.Declare(method("who_calls", rpc.Reads), func(ctx context.Context, _ struct{}) (caller, error) {
		return caller(rpc.CallerOf(ctx)), nil
	}, nil)
}
