package mcp

import (
	"encoding/json"
	"strconv"
)

// ceiling is the limit that a call may be asked again with half of: the one
// that the method has for agents, where the agent named none.
type ceiling struct{ adjustable bool }

// fill adds to an agent's arguments what they mean where they leave something
// out. Arguments that are no object are left to the registry to refuse.
func fill(arguments, defaults json.RawMessage) (json.RawMessage, ceiling) {
	var given, meant map[string]json.RawMessage
	if len(defaults) == 0 || json.Unmarshal(arguments, &given) != nil || json.Unmarshal(defaults, &meant) != nil {
		return arguments, ceiling{}
	}
	_, named := given["limit"]
	for name, value := range meant {
		if _, ok := given[name]; !ok {
			given[name] = value
		}
	}
	_, limited := given["limit"]
	filled, err := json.Marshal(given)
	if err != nil {
		return arguments, ceiling{}
	}
	return filled, ceiling{adjustable: limited && !named}
}

// halved returns the params with half the limit; not ok where that would be
// none, or not ours to change.
func (c ceiling) halved(params json.RawMessage) (json.RawMessage, bool) {
	var members map[string]json.RawMessage
	if !c.adjustable || json.Unmarshal(params, &members) != nil {
		return nil, false
	}
	limit, err := strconv.Atoi(string(members["limit"]))
	if err != nil || limit <= 1 {
		return nil, false
	}
	members["limit"] = json.RawMessage(strconv.Itoa(limit / 2))
	smaller, err := json.Marshal(members)
	return smaller, err == nil
}
