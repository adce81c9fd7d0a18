package rpc

import "encoding/json"

// authorize restricts the call to the authenticated user: it sets the param that names
// the user. It rejects a call without a user, a call whose params name another user, and
// params that are not an object, because a method must not run without its user.
func (m *Method) authorize(user string, params json.RawMessage) (json.RawMessage, *Error) {
	var members map[string]json.RawMessage
	if user == "" {
		return nil, NewError(Forbidden, "this call needs an authenticated user", nil)
	}
	if json.Unmarshal(params, &members) != nil || members == nil {
		return nil, errPositional()
	}
	own, err := json.Marshal(user)
	if err != nil {
		return nil, hidden()
	}
	if given, ok := members[m.UserParam]; ok {
		var name *string
		if json.Unmarshal(given, &name) != nil || name == nil || *name != user {
			return nil, BadParam(m.UserParam, "must be the authenticated user: leave it out")
		}
	}
	members[m.UserParam] = own
	filled, err := json.Marshal(members)
	if err != nil {
		return nil, hidden()
	}
	return filled, nil
}
