package mcp

import (
	"strings"
	"testing"
)

// TestBareInSession: an SDK's request for a method of ours carries _meta, and
// its result is one that the SDK accepts; without _meta nothing is different.
func TestBareInSession(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ params, want string }{
		"editor":        {`{"text":"x"}`, `"result":{"text":"x"}`},
		"with sessions": {`{"text":"x","_meta":{"progressToken":1}}`, `"result":{"text":"x"}`},
		"stateless":     {`{"text":"x",` + modern + `}`, `"result":{"resultType":"complete","text":"x"}`},
		"no object":     {`["_meta"]`, `"error":{"code":-32602`},
		"only a text":   {`{"text":"\"_meta\""}`, `"result":{"text":"\"_meta\""}`},
		"odd":           {`{"text":"x","_meta":7}`, `"result":{"text":"x"}`},
		"unknown":       {`{"nonesuch":1,` + modern + `}`, `nonesuch: is not known here`},
	}
	for name, tt := range tests {
		got := newToy(t).serve(t, `{"jsonrpc":"2.0","id":1,"method":"test/echo","params":`+tt.params+"}\n")
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: answered %s, want %s", name, got, tt.want)
		}
	}
}
