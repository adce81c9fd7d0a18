package instructions

import (
	"encoding/json"

	"instruction-catalog/rpc"
)

// The tools offered to agents. The defaults apply to params that the call omits. They
// keep the answer short and tell the model how to get the rest.
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

// maxSearch and maxList limit the size of an answer, in bytes, if the call gives no
// limit.
const (
	maxSearch = 4000
	maxList   = 6000
)

// Names of the tools that the texts refer to.
const (
	searchName = "instructions_search"
	getName    = "instructions_get"
	listName   = "instructions_list"
)
