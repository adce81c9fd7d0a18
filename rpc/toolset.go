package rpc

import (
	"context"
	"time"

	"instruction-catalog/schemas"
)

// Toolset declares one domain of the server: its methods, the contract that they fulfil,
// and the resources, prompts and skills that it offers to agents. A server has several
// toolsets. [Registry.Add] returns an error if two claim the same method, tool, prompt or
// URI scheme.
type Toolset struct {
	Name     string   // "tasks"; unique on a server, and used in errors and logs
	Contract Contract // the contract of its methods
	Methods  []Method

	// Guidance tells a model in a few lines when to use the toolset, or is "". It is in
	// the context of every conversation. GuidanceWithoutTools replaces it if the server
	// offers no tools.
	Guidance, GuidanceWithoutTools string

	// Errors converts a failure to the form that the toolset's specification requires: it
	// sets the message and Data. Agents are shown Data; other callers get it as the data
	// of the error. It is called for every failed call of a method of the toolset,
	// including calls whose params break the schema (Data is then [ParamIssues]) and
	// calls whose handler panicked. Nil leaves failures unchanged.
	Errors func(ctx context.Context, method string, failure *Error) *Error

	// Limit is how long an [Ordered] call on a pipe may take after it was read, including
	// the wait for its turn. After that time its context is done. The handler is called
	// even if the call had not begun by then, so that it can choose the error. 0 means no
	// limit.
	Limit time.Duration

	// BlockedAfter is how long an [Ordered] call on a pipe may run before calls that only
	// read no longer wait for it, because it is probably waiting for a lock. 0 means that
	// they wait until it is answered.
	BlockedAfter time.Duration

	// Start is called once, before the first request is read. It may check whatever can
	// be checked without waiting. Its error ends the process. It may be nil.
	Start func(context.Context) error
	// Close is called once, after the last answer. It may be nil.
	Close func() error
	// Health returns the state of the toolset. It may wait, for example for data to be
	// loaded. It is nil if the toolset has no health to report.
	Health func(context.Context) Health

	// OnChange registers tell, to be called whenever the content of Resources, Prompts
	// and Skills has changed. uris holds the URIs of all texts that were changed, added
	// or removed. OnChange is called before Start. tell is called by one goroutine at a
	// time, until Close. OnChange is nil if nothing changes while the toolset is served.
	OnChange func(tell func(uris []string))

	Resources Resources // nil if the toolset has no resources
	Prompts   []Prompt
	Skills    Skills // nil if the toolset has no skills
}

// Health is the state of a toolset.
type Health struct {
	Failed bool    // the toolset cannot answer its methods
	Gauges []Gauge // for the /metrics page
	// Detail is the value of "catalog" in the result of health/check with detail. The
	// contract has only one such member, so health/check uses the first toolset whose
	// Detail is not nil.
	Detail any
}

// Contract holds the schema documents of a toolset's methods, and their version, which
// increases with every change to them.
type Contract struct {
	Version string // "1.2"
	Schemas *schemas.Set
}
