package rpc

import (
	stdjson "encoding/json"
	"reflect"
	"testing"

	"github.com/segmentio/encoding/json"
)

// FuzzDecode: params are decoded by another library than encoding/json, because
// it is five times as fast, and as encoding/json decodes them.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		`{"text":"\ud800é\u0041\n","n":1e1,"many":[{"text":"a"},{}],"maybe":true,"any":{"a":[1.5,null]}}`, `{"text":null,"many":null}`,
		`{"text":"a","text":"b","many":[{"n":1}],"many":[{}]}`, "{\"text\":\"\xff\"}", `{"te\u0078t":"x","n":10.0}`, `{"n":-9007199254740993}`, `{"maybe":false}`,
	} {
		f.Add([]byte(text))
	}
	type params struct {
		Text  string             `json:"text"`
		N     Integer            `json:"n"`
		Many  []params           `json:"many"`
		Maybe *bool              `json:"maybe"`
		Any   stdjson.RawMessage `json:"any"`
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var got, want params
		if !stdjson.Valid(text) {
			return
		}
		gotErr, wantErr := json.Unmarshal(text, &got), stdjson.Unmarshal(text, &want)
		if (gotErr == nil) != (wantErr == nil) || wantErr == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%q is decoded as %+v, %v; want %+v, %v", text, got, gotErr, want, wantErr)
		}
	})
}
