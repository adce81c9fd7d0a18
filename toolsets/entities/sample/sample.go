// Package sample is a backend of entities with a little made-up data. It is used for the
// generated documentation and for trying the toolset out. It uses the fake backend of
// the tests. No program serves it to agents.
package sample

import (
	"net/http"

	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

// Handler returns the backend as an HTTP handler.
func Handler() http.Handler { return fakebackend.New(fakebackend.Sample()) }
