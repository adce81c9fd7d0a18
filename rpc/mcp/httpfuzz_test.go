package mcp

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// FuzzHTTP: whatever a client posts, in a session or without, is answered with a
// status, and with JSON whose errors have a code.
func FuzzHTTP(f *testing.F) {
	for _, method := range []string{"tools/call", "ping", "resources/read", "completion/complete", "prompts/get", "notifications/cancelled", "skills/get", listen} {
		body, _ := sessionless("1", method, `,"name":"test_echo","uri":"toy://1","requestId":1,"arguments":{"text":"t"}`)
		f.Add(body, "2026-07-28", method, false)
		f.Add(body, "2025-11-25", "", true)
		f.Add("["+body+"]", "", "", true)
	}
	f.Add(opening, "", "", false)
	f.Add(`{"jsonrpc":"2.0","id":"\ud800","method":"tools\/call","params":{"name":"test_\u0065cho"}}`, "", "", true)
	f.Add(`{"jsonrpc":"2.0","method":"notifications\/initialized","params":{"\u00e9":1}}`, "", "", true)
	f.Fuzz(func(t *testing.T, body, version, method string, inSession bool) {
		if names(body, "test_slow", listen) {
			t.Skip("would wait")
		}
		e := newEndpoint(t, small)
		w := httptest.NewRecorder()
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header = http.Header{
			"Content-Type": {"application/json"}, "Accept": {"*/*"},
			versionHeader: {version}, "Mcp-Method": {method}, nameHeader: {"test_echo"},
		}
		if inSession {
			name, value, _ := strings.Cut(e.open(), ": ")
			r.Header.Set(name, value)
		}
		e.handler.ServeHTTP(w, r)
		for _, message := range messages(t, w.Result()) {
			var answer struct {
				Error *struct{ Code int }
			}
			if err := json.Unmarshal([]byte(message), &answer); err != nil || answer.Error != nil && answer.Error.Code == 0 {
				t.Errorf("%d %q (%v)", w.Code, message, err)
			}
		}
	})
}
