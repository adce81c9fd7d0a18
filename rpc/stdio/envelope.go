package stdio

import (
	"encoding/json"
	"reflect"
)

// envelope is all that the connection sees of a request: the same for each.
//
// Decoding it takes the library longer than everything else that this package
// does for a small call. It is decoded once, and what came of it is copied from
// then on: neither the connection nor the handler changes it.
type envelope struct {
	decoded reflect.Value // of the library's own type, which has no name outside
}

// fill makes an envelope of what the connection wants to have read.
func (e *envelope) fill(v any) error {
	message := reflect.ValueOf(v).Elem()
	if e.decoded.IsValid() {
		message.Set(e.decoded)
		return nil
	}
	// What the connection reads into reads itself.
	if err := v.(json.Unmarshaler).UnmarshalJSON([]byte(`{"id":0,"method":"the current request"}`)); err != nil {
		return err
	}
	e.decoded = reflect.New(message.Type()).Elem()
	e.decoded.Set(message)
	return nil
}
