package rpc

import (
	"strings"
	"testing"
)

// TestReadMessage holds what a value is, and the id to answer with.
func TestReadMessage(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text           string
		id, method     string // "" for none
		params         string
		response       bool
		code           Code
		failureContain string
	}{
		"request":            {text: `{"jsonrpc":"2.0","id":1e3,"method":"a/b","params":[1]}`, id: "1e3", method: "a/b", params: "[1]"},
		"in blanks":          {text: " \t\r\n{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"} \n", id: "1", method: "a"},
		"null as id":         {text: `{"jsonrpc":"2.0","id":null,"method":"a","params":null}`, id: "null", method: "a", params: "null"},
		"notification":       {text: `{"jsonrpc":"2.0","method":"\u0061","more":1}`, method: "a"},
		"method in two ways": {text: `{"jsonrpc":"2.0","method":"a","Method":"b"}`, method: "a"},
		"method twice":       {text: `{"jsonrpc":"2.0","id":1,"method":"a","method":"b"}`, id: "1", code: InvalidRequest, failureContain: "method appears twice"},
		"id twice":           {text: `{"jsonrpc":"2.0","method":"a","method":"b","id":1,"id":2}`, code: InvalidRequest, failureContain: "id appears twice"},
		"params twice":       {text: `{"jsonrpc":"2.0","params":null,"method":"a","params":{}}`, code: InvalidRequest, failureContain: "params appears twice"},
		"another twice":      {text: `{"jsonrpc":"2.0","id":1,"method":"a","more":1,"more":2}`, id: "1", method: "a"},
		"response twice":     {text: `{"jsonrpc":"2.0","id":1,"result":1,"result":2}`, response: true},
		"response":           {text: `{"jsonrpc":"2.0","id":1,"result":null}`, response: true},
		"error":              {text: `{"jsonrpc":"2.0","id":null,"error":{}}`, response: true},
		"nothing":            {text: ``, code: ParseError, failureContain: "parse error: line 1, column 1: it ends too early"},
		"half":               {text: `{"id":1`, code: ParseError, failureContain: "parse error: line 1, column 8: it ends too early"},
		"two":                {text: `{} {}`, code: ParseError, failureContain: "parse error: line 1, column 4: unexpected '{'"},
		"array":              {text: `[]`, code: InvalidRequest, failureContain: "a request is an object"},
		"number":             {text: ` 7`, code: InvalidRequest, failureContain: "a request is an object"},
		"id as object":       {text: `{"jsonrpc":"2.0","id":{},"method":"a"}`, code: InvalidRequest, failureContain: "id is a string"},
		"id as truth":        {text: `{"jsonrpc":"2.0","id":true,"method":"a"}`, code: InvalidRequest, failureContain: "id is a string"},
		"version":            {text: `{"jsonrpc":2.0,"id":"x","method":"a"}`, id: `"x"`, code: InvalidRequest, failureContain: `jsonrpc must be "2.0"`},
		"method":             {text: `{"jsonrpc":"2.0","method":null}`, code: InvalidRequest, failureContain: "method must be"},
		"params":             {text: `{"jsonrpc":"2.0","id":3,"method":"a","params":"p"}`, id: "3", code: InvalidRequest, failureContain: "params must be"},
	}
	for name, tt := range tests {
		m, response, failure := ReadMessage([]byte(tt.text))
		if string(m.ID) != tt.id || m.Method != tt.method || string(m.Params) != tt.params || response != tt.response {
			t.Errorf("%s: read as id %s, method %q, params %s, response %v", name, m.ID, m.Method, m.Params, response)
		}
		if (failure == nil) != (tt.code == 0) || failure != nil && (failure.Code != tt.code || !strings.Contains(failure.Message, tt.failureContain)) {
			t.Errorf("%s: %v, want %d %q", name, failure, tt.code, tt.failureContain)
		}
	}
}

func TestSplitBatch(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		` [1, {"a":[]}] `: "",
		`[]`:              "invalid request: the batch is empty",
		`[1,2,3]`:         "invalid request: the batch has 3 members, and at most 2 are allowed: send it in parts",
		`[1,`:             "parse error: line 1, column 4: it ends too early",
	} {
		members, failure := SplitBatch([]byte(text), 2)
		switch {
		case failure != nil && failure.Message != want, failure == nil && want != "":
			t.Errorf("%s: %v, want %q", text, failure, want)
		case failure == nil && (len(members) != 2 || string(members[0]) != "1" || string(members[1]) != `{"a":[]}`):
			t.Errorf("%s: cut into %q", text, members)
		}
	}
}
