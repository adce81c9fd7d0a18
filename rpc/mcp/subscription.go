package mcp

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// subscriptionMember is how the SDK begins to write the id of a subscription
// into _meta.
var subscriptionMember = []byte(strconv.Quote(mcp.MetaKeySubscriptionID))

// subscription returns the id of the subscription that a result, or the params
// of a notification, belongs to.
func subscription(object json.RawMessage) (int64, bool) {
	if !bytes.Contains(object, subscriptionMember) {
		return 0, false
	}
	var belongs struct {
		Meta struct {
			ID *int64 `json:"io.modelcontextprotocol/subscriptionId"`
		} `json:"_meta"`
	}
	if json.Unmarshal(object, &belongs) != nil || belongs.Meta.ID == nil {
		return 0, false
	}
	return *belongs.Meta.ID, true
}

// ownID puts the client's own id where the SDK wrote that of the exchange.
func ownID(object json.RawMessage, x *exchange) json.RawMessage {
	if id, ok := subscription(object); !ok || id != x.id {
		return object
	}
	var members, meta map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil || json.Unmarshal(members["_meta"], &meta) != nil {
		return object
	}
	meta[mcp.MetaKeySubscriptionID] = x.clientID
	members["_meta"], _ = json.Marshal(meta)
	own, err := json.Marshal(members)
	if err != nil {
		return object
	}
	return own
}
