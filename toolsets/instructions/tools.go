package instructions

import (
	"encoding/json"

	"instruction-catalog/rpc"
)

// The tools that agents are offered. A call with only the required params gets an
// answer made for a model: a little of everything, and how to get the rest.
var (
	searchTool = rpc.Tool{
		Default:  true,
		Defaults: json.RawMessage(`{"mode":"ranked","limit":5,"fields":["title","requirement"],"snippet":true}`),
		Unshown:  []string{"count", "revision", "sort", "status", "nearest", "also", "agent"},
		Budget:   rpc.Budget{Bytes: maxSearch, UnlessGiven: []string{"limit"}},
	}
	listTool = rpc.Tool{
		Default:  true,
		Defaults: json.RawMessage(`{"limit":25,"fields":["title","requirement"]}`),
		Unshown:  []string{"count", "revision", "sort", "status", "nearest", "agent"},
		Budget:   rpc.Budget{Bytes: maxList, UnlessGiven: []string{"limit"}},
	}
	getTool = rpc.Tool{
		Default:  true,
		Defaults: json.RawMessage(`{"bodyLimit":10000}`),
		Unshown:  []string{"nearest", "fields", "revision", "proof"},
		TextOnly: true,
	}
	reviewTool = rpc.Tool{Default: true, Unshown: []string{"detail", "spans"}}
	trackTool  = rpc.Tool{Default: true, Unshown: []string{"action", "signal"}}
)

// How many bytes the answer to a call may have that names no limit.
const (
	maxSearch = 4000
	maxList   = 6000
)

// The names under which the texts refer to other tools.
const (
	searchName = "instructions_search"
	getName    = "instructions_get"
	listName   = "instructions_list"
)
