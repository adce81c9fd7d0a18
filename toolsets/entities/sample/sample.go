// Package sample is a backend of entities with a little made-up data, for the
// generated documents and for whoever wants to try the toolset out. It is the
// small backend of the tests, and no program serves it to agents.
package sample

import (
	"net/http"

	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

// Handler returns the backend, as it answers over HTTP.
func Handler() http.Handler { return fakebackend.New(fakebackend.Sample()) }
