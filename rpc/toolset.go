package rpc

import (
	"context"
	"time"

	"instruction-catalog/schemas"
)

// Toolset is one domain on the server, as one value: its methods, the contract
// that they fulfil, and whatever else it offers to agents. A server has several;
// [Registry.Add] refuses two that claim the same method, tool, prompt or URI
// scheme.
type Toolset struct {
	Name     string   // "tasks": unique on a server, and how messages name it
	Contract Contract // what its methods fulfil
	Methods  []Method

	// Guidance tells a model when to use the toolset, in a few lines. It is in
	// the context of every conversation; "" says nothing. GuidanceWithoutTools is
	// for one that is offered no tools.
	Guidance, GuidanceWithoutTools string

	// Errors gives a failure the shape that the toolset's specification asks
	// for: the message, and in Data the value that agents are shown and bare
	// callers find in data. It is asked about every failed call of a method of
	// the toolset, also where the params break the schema (Data is then
	// [ParamIssues]) and where the handler panicked. Nil keeps failures as they
	// are.
	Errors func(ctx context.Context, method string, failure *Error) *Error

	// Limit is how long an [Ordered] call on a pipe may take from when it was read,
	// including the wait for its turn. Then its context ends. A call that has not
	// begun by then is still handled, so that the handler can word the error. 0 is no
	// limit.
	Limit time.Duration

	// Start is called once, before the first request is read. It may check what
	// is known without waiting; its error ends the process. Nil does nothing.
	Start func(context.Context) error
	// Close is called once, after the last answer. Nil does nothing.
	Close func() error
	// Health says how the toolset is. It may wait, for instance for data to be
	// loaded. Nil if there is nothing to say.
	Health func(context.Context) Health

	// OnChange has a function told whenever what Resources, Prompts and Skills offer
	// has changed: of the texts that read otherwise than before, or are gone or new,
	// by URI. It is called before Start; the function is called by one goroutine at a
	// time, until Close. Nil where nothing changes while the toolset is served.
	OnChange func(tell func(uris []string))

	Resources Resources // nil for a toolset without texts to read
	Prompts   []Prompt
	Skills    Skills // nil for a toolset without skills
}

// Health is how a toolset is.
type Health struct {
	Failed bool    // the toolset cannot answer its methods
	Gauges []Gauge // for the page of metrics
	// Detail is what health/check answers with under "catalog" if details are wanted.
	// The contract has one such member: of several toolsets, the first with a Detail
	// is shown. Nil if there is nothing to show.
	Detail any
}

// Contract has the schema documents of a toolset's methods, and the version that rises
// with every change to them.
type Contract struct {
	Version string // "1.2"
	Schemas *schemas.Set
}
