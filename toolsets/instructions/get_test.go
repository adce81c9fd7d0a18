package instructions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"instruction-catalog/rpc"
)

// TestGetPartOfBody checks that offsets count code points, and that everything except
// the body is as in the whole entry.
func TestGetPartOfBody(t *testing.T) {
	t.Parallel()
	const body = "Straße 用户 😀\n" // 12 characters
	c := open(t, map[string]string{"a.md": "---\ntitle: A\nowner: ada\n---\n" + body})
	c.call("usage/track", `{"id":"a"}`)
	whole := c.raw("instructions/get", `{"id":"a"}`)
	for params, want := range map[string]string{
		`"bodyOffset":0`:                      body,
		`"bodyOffset":7`:                      "用户 😀\n",
		`"bodyOffset":11`:                     "\n",
		`"bodyLimit":1`:                       "S",
		`"bodyLimit":12`:                      body,
		`"bodyLimit":1000000`:                 body,
		`"bodyOffset":4,"bodyLimit":2`:        "ße",
		`"bodyOffset":10,"bodyLimit":1`:       "😀",
		`"bodyOffset":1.0,"bodyLimit":1e1`:    "traße 用户 😀",
		`"bodyOffset":11,"bodyLimit":1000000`: "\n",
		`"bodyOffset":5,"bodyLimit":7`:        "e 用户 😀\n",
	} {
		got := c.raw("instructions/get", `{"id":"a",`+params+`}`)
		quoted, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		expected := strings.Replace(whole, `"body":"Straße 用户 😀\n"`, `"body":`+string(quoted), 1)
		expected = strings.TrimSuffix(expected, "}") + `,"bodyLength":12}`
		if got != expected {
			t.Errorf("%s:\n got %s\nwant %s", params, got, expected)
		}
	}
}

// TestGetBodyPartByPart checks that the concatenated parts equal the body.
func TestGetBodyPartByPart(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("aß用😀e\u0301\r\n", 40)
	c := open(t, map[string]string{"a.md": body})
	for _, limit := range []int{1, 3, 7, 1000} {
		var parts strings.Builder
		for offset, length := 0, 1; offset < length; offset += limit {
			r := c.call("instructions/get", fmt.Sprintf(`{"id":"a","bodyOffset":%d,"bodyLimit":%d}`, offset, limit))
			parts.WriteString(r.Item.Body)
			length = r.BodyLength
		}
		if parts.String() != body {
			t.Errorf("%d at a time: %q", limit, parts.String())
		}
	}
}

func TestGetRefusesWhatIsBeyondTheBody(t *testing.T) {
	t.Parallel()
	c := open(t, map[string]string{"a.md": "Füße"})
	for _, params := range []string{`"bodyOffset":4`, `"bodyOffset":5,"bodyLimit":1`, `"bodyOffset":9007199254740993`, `"bodyOffset":1e400`} {
		got := c.fails("instructions/get", `{"id":"a",`+params+`}`, rpc.InvalidParams)
		if !strings.Contains(got, `"path":"bodyOffset"`) || params != `"bodyOffset":1e400` && !strings.Contains(got, "must be less than 4, the length of the body") {
			t.Errorf("%s: %s", params, got)
		}
	}
	for _, params := range []string{`"bodyOffset":-1`, `"bodyOffset":0.5`, `"bodyLimit":0`, `"bodyLimit":1000001`, `"bodyLimit":"1"`, `"bodyLimit":null`} {
		c.fails("instructions/get", `{"id":"a",`+params+`}`, rpc.InvalidParams)
	}
	if r := c.call("instructions/get", `{"id":"b","bodyOffset":4}`); !r.NotFound {
		t.Error("an offset is held against the body of an entry that there is not")
	}
}
