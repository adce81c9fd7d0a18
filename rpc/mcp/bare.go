package mcp

import (
	"bytes"
	"encoding/json"

	"instruction-catalog/rpc"
)

// Bare implements [rpc.Protocol]. Clients add _meta to every request, also to one
// with a method of ours: in 2026-07-28 always, and then they accept no result
// without a resultType.
func (s *Server) Bare(params json.RawMessage) (json.RawMessage, func(rpc.JSON) rpc.JSON) {
	var members map[string]json.RawMessage
	// Long params have many quotes and few underscores: this begins with one.
	if !bytes.Contains(params, []byte(`_meta"`)) || json.Unmarshal(params, &members) != nil || members["_meta"] == nil {
		return params, unchanged
	}
	var meta struct {
		Version string `json:"io.modelcontextprotocol/protocolVersion"`
	}
	wrong := json.Unmarshal(members["_meta"], &meta)
	delete(members, "_meta")
	rest, err := json.Marshal(members)
	switch {
	case err != nil:
		return params, unchanged
	case wrong != nil || meta.Version < stateless:
		return rest, unchanged
	}
	return rest, complete
}

func unchanged(result rpc.JSON) rpc.JSON { return result }

// complete adds the resultType to a result, which is an object.
func complete(result rpc.JSON) rpc.JSON {
	const open = `{"resultType":"complete"`
	if len(result) == 0 || len(result[0]) == 0 || result[0][0] != '{' {
		return result
	}
	if result.Len() == len("{}") {
		return rpc.JSON{[]byte(open + "}")}
	}
	return append(rpc.JSON{[]byte(open + ","), result[0][1:]}, result[1:]...)
}
