package main

// fixture is what has happened before an example is run.
type fixture struct {
	catalog string   // the folder, below testdata; "" for the standard one
	before  []string // requests that were answered before
	gone    []string // files that were removed then
}

const (
	standard = "catalog" // all is well in it
	edited   = "edited"  // somebody has edited a body and misspelt a gate
	noGates  = "catalog/go"
	missing  = "no-such-folder"
)

// fixtures are those of the examples that need one, by method and name. All
// others are run on a server that has just been started on the standard
// catalog.
var fixtures = map[string]fixture{
	"gates/evaluate: notConfigured":            {catalog: noGates},
	"gates/evaluate: evaluated, failed closed": {catalog: edited},
	"health/check: detail, failed":             {catalog: missing},
	"integrity/verify: drift, with detail":     {catalog: edited, before: []string{list}, gone: []string{"secrets-in-code.md"}},
	"metrics/snapshot: plain":                  {before: calls},
	"metrics/snapshot: detail":                 {before: calls},
	"usage/hotset: used":                       {before: append(repeat(track("error-wrapping"), 5), repeat(track("commit-messages"), 2)...)},
	"usage/hotset: detail":                     {before: append(repeat(trackHelpful, 3), track("commit-messages"))},
	"usage/track: counted, with signal":        {before: repeat(track("error-wrapping"), 5)},
	"usage/track: counted":                     {before: repeat(track("error-wrapping"), 4)},
}

const list = `{"jsonrpc":"2.0","id":1,"method":"instructions/list"}`

// calls are a few calls of two methods, one of them a mistake.
var calls = append(repeat(list, 3),
	`{"jsonrpc":"2.0","id":1,"method":"instructions/list","params":{"limit":0}}`,
	`{"jsonrpc":"2.0","id":1,"method":"health/check"}`,
)

const trackHelpful = `{"jsonrpc":"2.0","id":1,"method":"usage/track","params":{"id":"error-wrapping","action":"applied","signal":"helpful"}}`

func track(id string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"usage/track","params":{"id":"` + id + `"}}`
}

func repeat(line string, times int) []string {
	lines := make([]string, times)
	for i := range lines {
		lines[i] = line
	}
	return lines
}
