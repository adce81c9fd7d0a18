package rpc

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// FuzzDecode: params are decoded by another library than encoding/json, because
// it is three times as fast, and as encoding/json decodes them.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`{"text":"\ud800é\u0041\n","n":1e1,"many":[{"text":"a"},{}],"maybe":true,"any":{"a":[1.5,null]}}`, `{"text":null,"many":null}`,
		"{\"text\":\"\xff\"}", `{"te\u0078t":"x","n":10.0}`, `{"n":-9007199254740993}`, `{"maybe":false}`,
	} {
		f.Add([]byte(text))
	}
	type params struct {
		Text  string          `json:"text"`
		N     Integer         `json:"n"`
		Many  []params        `json:"many"`
		Maybe *bool           `json:"maybe"`
		Any   json.RawMessage `json:"any"`
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var got, want params
		gotErr := jsonv2.Unmarshal(text, &got, jsontext.AllowInvalidUTF8(true), jsonv2.RejectUnknownMembers(true))
		repeated, unknown := errors.Is(gotErr, jsontext.ErrDuplicateName), errors.Is(gotErr, jsonv2.ErrUnknownName)
		if repeated || unknown || !json.Valid(text) {
			return // which is refused before
		}
		wantErr := json.Unmarshal(text, &want)
		if (gotErr == nil) != (wantErr == nil) || wantErr == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q is decoded as %+v, %v; want %+v, %v", text, got, gotErr, want, wantErr)
		}
	})
}
