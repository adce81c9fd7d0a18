package hosts

import (
	"strings"
	"testing"
)

// jsonCases show where our entry is inserted in various texts.
var jsonCases = []struct{ name, before, added string }{
	{"nothing in it", "{}",
		"{\"servers\": {\n  \"catalog\": {\n    \"type\": \"stdio\",\n    \"command\": \"catalog\",\n    \"args\": [\"serve\"]\n  }\n}}"},
	{"nothing but space", "{\n}\n",
		"{\"servers\": {\n  \"catalog\": {\n    \"type\": \"stdio\",\n    \"command\": \"catalog\",\n    \"args\": [\"serve\"]\n  }\n}\n}\n"},
	{"nothing but a comment", "{\n  // none yet\n}\n",
		"{\n  // none yet\n  \"servers\": {\n    \"catalog\": {\n      \"type\": \"stdio\",\n      \"command\": \"catalog\",\n      \"args\": [\"serve\"]\n    }\n  }\n}\n"},
	{"nothing but a comment within a line", "{ /* none */ }",
		"{ /* none */ \"servers\": {\n  \"catalog\": {\n    \"type\": \"stdio\",\n    \"command\": \"catalog\",\n    \"args\": [\"serve\"]\n  }\n} }"},
	{"no servers yet", "{\n\t\"servers\": {},\n\t\"inputs\": []\n}\n",
		"{\n\t\"servers\": {\"catalog\": {\n\t\t\"type\": \"stdio\",\n\t\t\"command\": \"catalog\",\n\t\t\"args\": [\"serve\"]\n\t}},\n\t\"inputs\": []\n}\n"},
	{"one line", `{"inputs": []}`,
		`{"inputs": [], "servers": { "catalog": {"type": "stdio", "command": "catalog", "args": ["serve"]} }}`},
	{"one line without servers", `{"servers": { }}`,
		`{"servers": {"catalog": {"type": "stdio", "command": "catalog", "args": ["serve"]} }}`},
	{"one line that ends with a comma", `{"servers": {"a": {}, }, }`,
		`{"servers": {"a": {}, "catalog": {"type": "stdio", "command": "catalog", "args": ["serve"]}, }, }`},
	{"a comment to the end of the line", "{\"servers\": {\"a\": {} // one\n}}",
		"{\"servers\": {\"a\": {}, // one\n\"catalog\": {\"type\": \"stdio\", \"command\": \"catalog\", \"args\": [\"serve\"]}\n}}"},
	{"a comment before the comma", "{\n  \"servers\": {\n    \"a\": {} /* one */,\n  }\n}",
		"{\n  \"servers\": {\n    \"a\": {} /* one */,\n    \"catalog\": {\n      \"type\": \"stdio\",\n      \"command\": \"catalog\",\n      \"args\": [\"serve\"]\n    },\n  }\n}"},
	{"lines as on Windows", "\ufeff{\r\n    \"servers\": {\r\n        \"a\": {} // one\r\n    }\r\n}\r\n",
		"\ufeff{\r\n    \"servers\": {\r\n        \"a\": {}, // one\r\n        \"catalog\": {\r\n            \"type\": \"stdio\",\r\n            \"command\": \"catalog\",\r\n            \"args\": [\"serve\"]\r\n        }\r\n    }\r\n}\r\n"},
	{"a comment that nothing follows", "{\"servers\":{\"catalog\":{\"type\":\"stdio\",\"command\":\"catalog\",\"args\":[\"serve\"]}}} // end",
		"{\"servers\":{\"catalog\":{\"type\":\"stdio\",\"command\":\"catalog\",\"args\":[\"serve\"]}}} // end"},
	{"a name with escapes", `{"servers": {"\u0063atalog": {"command": "/opt/catalog", "args": ["serve", "-x"]}}}`,
		`{"servers": {"\u0063atalog": {"command": "catalog", "args": ["serve"], "type": "stdio"}}}`},
}

func TestAddJSON(t *testing.T) {
	t.Parallel()
	for _, tt := range jsonCases {
		if got := mustAdd(t, vscode, []byte(tt.before)); string(got) != tt.added {
			t.Errorf("%s:\n%s\ngot\n%q\nwant\n%q", tt.name, got, got, tt.added)
		}
		checkEdits(t, vscode, tt.before, jsonValues)
	}
}

// Removing works after others have edited the file.
func TestRemoveJSON(t *testing.T) {
	t.Parallel()
	const entry = `"catalog": {"command": "catalog.exe", "args": ["serve", "--dir", "x"]}`
	tests := []struct{ name, before, after string }{
		{"first", "{\n  \"servers\": {\n    " + entry + ",\n    \"a\": {}\n  }\n}", "{\n  \"servers\": {\n    \"a\": {}\n  }\n}"},
		{"last, without its comma", `{"servers": {"a": {}, ` + entry + `}}`, `{"servers": {"a": {}}}`},
		{"a comment before it", "{\"servers\": {\n  // ours\n  " + entry + "\n}}", "{\"servers\": {\n  // ours\n}}"},
		{"a comment before the comma", `{"servers": {` + entry + ` /* ours */, "a": {}}}`, `{"servers": { /* ours */ "a": {}}}`},
		{"a container that was there", `{"servers": {` + entry + `}}`, `{"servers": {}}`},
		{"a container that we made", `{"inputs": [], "servers": { ` + entry + ` }}`, `{"inputs": []}`},
		{"a container with a comment", `{"servers": { ` + entry + ` /* ours */ }}`, `{"servers": { /* ours */ }}`},
		{"a file with a comment", "// ours\n{ \"servers\": { " + entry + " } }\n", "// ours\n{ }\n"},
		{"a file that was re-formatted", "{\n  \"servers\": {\n    " + entry + "\n  }\n}\n", "{\n}\n"},
		{"a file that we made, with a mark", "\ufeff" + string(vscode.File(server)), "\ufeff{\n}\n"},
		{"what the user gave it", strings.Replace(string(vscode.File(server)), `"type"`, `"env": {"TOKEN": "mine"}, "type"`, 1), "{\n}\n"},
		{"not there", `{"servers": {"a": {}}}`, `{"servers": {"a": {}}}`},
		{"no servers", `{"a": [1]}`, `{"a": [1]}`},
	}
	for _, tt := range tests {
		if got, nothing := mustRemove(t, vscode, []byte(tt.before)); string(got) != tt.after || nothing {
			t.Errorf("%s: got %q, %v, want %q", tt.name, got, nothing, tt.after)
		}
	}
}

// Both edits reject these texts and report the position.
func TestRefusedJSON(t *testing.T) {
	t.Parallel()
	tests := []struct{ text, want string }{
		{"", "1:1: the file is empty: remove it, or write {} into it"},
		{" \n", "1:1: the file is empty: remove it, or write {} into it"},
		{"{", "1:2: the file ends too early"},
		{"{}\n{}", "2:1: unexpected '{'"},
		{"{\n  servers: {}\n}", "2:3: unexpected 's'"},
		{"null", "1:1: the file should hold an object, as {}"},
		{"\n  \"x\"", "2:3: the file should hold an object, as {}"},
		{`{"servers": null}`, `1:13: the value of "servers" should be an object, as {}`},
		{`{"servers": {"catalog": []}}`, `1:25: the value of "catalog" should be an object, as {}`},
		{"{\"a\": 1,\n \"\\u0061\": 2}", `2:2: the name "a" appears twice: remove one of the two`},
		{`{"servers": {"a": 1, "a": 2}}`, `1:22: the name "a" appears twice: remove one of the two`},
		{`{"servers": {"catalog": {"args": [], "args": []}}}`, `1:38: the name "args" appears twice: remove one of the two`},
		{`{"servers": {"catalog": {}}}`, "1:14: " + notOurs},
		{`{"servers": {"catalog": {"command": "catalog"}}}`, "1:14: " + notOurs},
		{`{"servers": {"catalog": {"command": "catalog", "args": ["list"]}}}`, "1:14: " + notOurs},
		{`{"servers": {"catalog": {"command": "catalog", "args": ["serve", 1]}}}`, "1:14: " + notOurs},
		{`{"servers": {"catalog": {"command": "npx", "args": ["serve"]}}}`, "1:14: " + notOurs},
		{`{"servers": {"catalog": {"command": ["catalog", "serve"]}}}`, "1:14: " + notOurs},
		{`{"servers": {"catalog": {"type": "http", "url": "https://catalog.example"}}}`, "1:14: " + isAtURL},
		{`{"a": ` + strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth) + `}`,
			"1:1006: the file is nested more than 1000 deep, which is not a configuration"},
		{strings.Repeat("[", MaxFile), "1:1001: the file is nested more than 1000 deep, which is not a configuration"},
		{strings.Repeat(" ", MaxFile+1), errTooLarge.Problem},
	}
	for _, tt := range tests {
		_, toAdd := vscode.Add([]byte(tt.text), server)
		_, _, toRemove := vscode.Remove([]byte(tt.text), server)
		for _, err := range []error{toAdd, toRemove} {
			if err == nil || err.Error() != tt.want {
				t.Errorf("%.80q: %v, want %s", tt.text, err, tt.want)
			}
		}
	}
}

// Brackets in strings and comments do not nest.
func TestNesting(t *testing.T) {
	t.Parallel()
	many := strings.Repeat("[", 2*maxDepth)
	text := `{"a": "\"` + many + "\", // " + many + "\n \"b\": 1 /* " + many + ` */ }`
	mustAdd(t, vscode, []byte(text))
}
