package format

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/catalog"
)

func TestJSONFiles(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 64) + strings.Repeat("]", 64)
	tests := []struct{ name, content, said string }{
		{"clean", jsonWith("", ""), ""},
		{"byte order mark", "\uFEFF" + jsonWith("", ""), ""},
		{"CRLF", strings.ReplaceAll(jsonWith("priority", `0`), "\n", "\r\n"), "6: warning: priority: 0 is not an integer from 1 to 100: it is read as 50"},
		{"empty", "", " error: the file is empty: write an object with id, title and body, or remove the file"},
		{"blank", " \n\t", " error: the file is empty: write an object with id, title and body, or remove the file"},
		{"only a byte order mark", "\uFEFF", " error: the file is empty: write an object with id, title and body, or remove the file"},
		{"array", "\n[{}]", "2: error: the file contains JSON that is not an object: write an object with id, title and body"},
		{"null", "null", "1: error: the file contains JSON that is not an object: write an object with id, title and body"},
		{"not JSON", "\nid: x\n", "2: error: the file is not valid JSON: column 1: unexpected 'i'"},
		{"none of the three", `{"ID": "x"}`, " note: this is not an instruction: it has no id, title or body"},
		{"empty object", `{}`, " note: this is not an instruction: it has no id, title or body"},
		{"only a null id", `{"id": null, "priority": 1, "audience": "all", "requirement": "optional", "categories": [], "schemaVersion": "1"}`,
			"1: error: id: null is not a string; write " + idForm +
				"\n error: body: missing; write the instruction\n error: title: missing; say in a few words what the instruction is about"},
		{"truncated", "{\n\"id\": \"x\",\n\"title\"", "3: error: the file is not valid JSON: column 8: it ends too early"},
		{"truncated text", "{\n\"id\": \"x", "2: error: the file is not valid JSON: column 9: it ends too early"},
		{"trailing comma", "{\n\"id\": \"x\",\n}", "3: error: the file is not valid JSON: column 1: unexpected '}'"},
		{"trailing data", jsonWith("", "") + "{}", "11: error: the file is not valid JSON: column 1: unexpected '{'"},
		{"comment", "{ // no\n}", "1: error: the file is not valid JSON: column 3: unexpected '/'"},
		{"newline in a text", "{\"id\": \"x\n\"}", "1: error: the file is not valid JSON: column 10: unexpected '\\n'"},
		{"bad nested value", "{\"id\": \"x\",\n\"extensions\": {\"a\": 01}}", "2: error: the file is not valid JSON: column 22: unexpected '1'"},
		{"invalid UTF-8", "{\n\"id\": \"\xff\"}", "2: error: the file is not valid UTF-8: save it as UTF-8"},
		{"UTF-16", "\xff\xfe{\x00}\x00", "1: error: the file is not valid UTF-8: save it as UTF-8"},
		{"deep", jsonWith("extensions", `{"a":`+deep[1:127]+`}`), ""},
		{"too deep", jsonWith("extensions", `{"a":`+deep+`}`), "5: error: " + tooDeep},
		{"far too deep", jsonWith("extensions", strings.Repeat("[", 100_000)), "5: error: " + tooDeep},
		{"a name twice", "{\"id\": \"x\",\n\"id\": \"y\", \"title\": \"T\", \"body\": \"B\", \"priority\": 1, \"audience\": \"all\", \"requirement\": \"optional\", \"categories\": [], \"schemaVersion\": \"1\"}",
			"2: error: id: already set on line 1: keep one of the two"},
		{"an unknown name twice", jsonWith("z", "1,\n\"z\": 2"), "11: error: z: already set on line 10: keep one of the two\n10: warning: unknown field \"z\": kept in extensions"},
		{"the same name, escaped", jsonWith("z", `1, "\u007a": 2`), "10: error: z: already set on line 10: keep one of the two\n10: warning: unknown field \"z\": kept in extensions"},
		{"all that is wrong is named", "{\"id\": \"?\",\n\"title\": 1,\n\"body\": \"\",\n\"priority\": \"very\", \"audience\": \"all\", \"requirement\": \"optional\", \"categories\": [], \"schemaVersion\": \"1\"}",
			"1: error: id: \"?\" is not a valid id: write " + idForm +
				"\n3: error: body: empty; write the instruction" +
				"\n2: error: title: 1 is not a string; say in a few words what the instruction is about" +
				"\n4: error: priority: \"very\" is not a number: write an integer from 1 (highest) to 100"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := interpretText("x.json", tt.content)
			if got := said(r); got != tt.said {
				t.Errorf("said\n%s\nwant\n%s", got, tt.said)
			}
			if refused := strings.Contains(tt.said, "error:") || strings.Contains(tt.said, "note:"); refused != (r.Entry == nil) {
				t.Errorf("entry is %v", r.Entry)
			}
		})
	}
}

func TestUnknownMembers(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, member, want, said string }{
		{"one", `"x": 1.0`, `{"x":1.0}`, `unknown field "x": kept in extensions`},
		{"of every kind", `"a": null, "b": true, "c": "<é\ud83d\ude00>", "d": [ 1 ], "e": { "f": {} }`,
			`{"a":null,"b":true,"c":"<é😀>","d":[1],"e":{"f":{}}}`,
			`unknown fields "a", "b", "c", "d", "e": kept in extensions`},
		{"beside extensions", `"extensions": {"x": 1}, "y": 2`, `{"x":1,"y":2}`, `unknown field "y": kept in extensions`},
		{"beside empty extensions", `"y": 2, "extensions": { }`, `{"y":2}`, `unknown field "y": kept in extensions`},
		{"extensions go before", `"extensions": {"x": 1}, "x": 2`, `{"x":1}`, `unknown field "x": not served, because extensions has another field of that name`},
		{"known names have one spelling", `"Title": "y"`, `{"Title":"y"}`, `unknown field "Title": kept in extensions`},
		{"many", manyMembers(12), manyValues(12), `unknown fields "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9", and 2 more: kept in extensions`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := interpretText("x.json", strings.Replace(jsonWith("", ""), "{", "{"+tt.member+",", 1))
			if got := served(t, r, "extensions"); !sameJSON(t, got, tt.want) {
				t.Errorf("served %s, want %s", got, tt.want)
			}
			if got := saidAbout(r); got != "warning: "+tt.said {
				t.Errorf("said %s, want %s", got, tt.said)
			}
		})
	}
}

func manyMembers(n int) string { return strings.Trim(manyValues(n), "{}") }

func manyValues(n int) string {
	var members []string
	for i := range n {
		members = append(members, fmt.Sprintf(`"k%d":1`, i))
	}
	return "{" + strings.Join(members, ",") + "}"
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	return reflect.DeepEqual(decode(t, a), decode(t, b))
}

func decode(t *testing.T, text string) (v any) {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber() // keeps 1e999 as a number, and 1.0 distinct from 1
	if err := dec.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// Half a surrogate pair is kept in a value that is stored as JSON. In a text it is
// replaced.
func TestHalfSurrogates(t *testing.T) {
	t.Parallel()
	r := interpretText("x.json", jsonWith("extensions", `{"a": "\ud800"}`))
	if got := string(r.Entry.Instruction().Extensions); got != `{"a":"\ud800"}` || len(r.Diagnostics) != 0 {
		t.Errorf("extensions %s, said %s", got, said(r))
	}
	r = interpretText("x.json", jsonWith("body", `"\udc00 \ud83d\u0041 \ud83d\ud83d\ude00"`))
	if got, want := r.Entry.Body.Text(), "\uFFFD \uFFFDA \uFFFD😀"; got != want {
		t.Errorf("body %q, want %q", got, want)
	}
}

// The diagnostics of a file are limited, and the omitted ones are counted.
func TestManyDiagnostics(t *testing.T) {
	t.Parallel()
	r := interpretText("x.json", jsonWith("x", "1"+strings.Repeat(",\n\"x\": 1", 1000)))
	lines := strings.Split(said(r), "\n")
	if r.Entry != nil || len(lines) != maxFound+1 ||
		lines[maxFound] != " error: there are 901 more diagnostics of this file: fix these first" {
		t.Errorf("%d lines, the last is %s", len(lines), lines[len(lines)-1])
	}
	r = interpretText("x.json", jsonWith("teamIds", "[1"+strings.Repeat(",1", 200)+"]"))
	if lines := strings.Split(said(r), "\n"); r.Entry == nil || lines[len(lines)-1] != " warning: there are 101 more diagnostics of this file: fix these first" {
		t.Errorf("said %s", lines[len(lines)-1])
	}
}

// The origin keeps values of the file that are not served.
func TestOrigin(t *testing.T) {
	t.Parallel()
	r := interpretText("a/B.json", strings.Replace(jsonWith("id", `"B.1"`), "{", `{"sourceHash": " ABC\n",`, 1))
	want := catalog.Origin{
		Path: "a/B.json", BodyLine: 3, Format: "json", SpelledID: "B.1", RecordedHash: "ABC", CreatedWithFile: true, UpdatedWithFile: true,
	}
	if r.Entry.Origin != want {
		t.Errorf("got %+v, want %+v", r.Entry.Origin, want)
	}
	if r := interpretText("a/b.md", "x"); r.Entry.Origin != (catalog.Origin{Path: "a/b.md", BodyLine: 1, Format: "markdown", CreatedWithFile: true, UpdatedWithFile: true}) {
		t.Errorf("got %+v", r.Entry.Origin)
	}
}

// scannerSeeds are valid and invalid JSON texts at which a scanner might fail.
var scannerSeeds = []string{
	`{}`, ` { } `, `{"a":1}`, `{"a":1,}`, `{,}`, `{"a"}`, `{"a":}`, `{"a" 1}`, `{a:1}`, `{"a":1 "b":2}`, `{"a":1}}`, `{"a":1`,
	`{"a":-0,"b":-1.5e+10,"c":0.0,"d":1E-2}`, `{"a":01}`, `{"a":1.}`, `{"a":.5}`, `{"a":+1}`, `{"a":-}`, `{"a":1e}`, `{"a":0x1}`,
	`{"a":tru}`, `{"a":true,"b":false,"c":null}`, `{"a":nul}`, `{"a":nullx}`,
	`{"a":"\"\\\/\b\f\n\r\t"}`, `{"a":"\u00e9\ud83d\ude00"}`, `{"a":"\ud83d"}`, `{"a":"\ud83d\u0041"}`, `{"a":"\ud83d\ud83d\ude00"}`, `{"a":"\ude00"}`,
	`{"a":"\u12"}`, `{"a":"\ud83d\u12"}`, `{"a":"\x"}`, `{"a":"\`, `{"a":"\u`, "{\"a\":\"\t\"}", "{\"a\":\"\x7f\"}", `{"a":"`,
	`{"a":[1,{"b":["]}\""]}]}`, `{"a":[}`, `{"a":{]}`, `{"a":[1,]}`, `{"a":["\"]}`, `{"a": [ ] , "b" : { } }`,
	`{"":""}`, `{"a":1,"a":2}`, `{"\u0061":1}`, `[]`, `1`, `"x"`, ``, "{\"a\"\n:\r\n1\t}", "\u00a0{}", `{"a":1} x`,
}

// The scanner accepts the same texts as encoding/json and decodes them to the same
// values.
func TestScannerLikeEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, seed := range scannerSeeds {
		compareScanner(t, seed)
	}
}

func compareScanner(t *testing.T, text string) {
	t.Helper()
	var want map[string]json.RawMessage
	wanted := json.Unmarshal([]byte(text), &want)
	doc := document{File: File{Path: "x.json", Data: []byte(text)}}
	problem := doc.parse()
	isNull := strings.TrimSpace(text) == "null" // not an object, but encoding/json accepts it
	if (problem == nil) != (wanted == nil && !isNull) {
		if problem != nil && problem.Message == tooDeep {
			return
		}
		t.Fatalf("%q: problem %v, encoding/json says %v", text, problem, wanted)
	}
	if problem != nil {
		return
	}
	got := map[string]value{}
	for _, f := range doc.fields {
		got[f.name] = f.value // the last one counts, as in encoding/json
	}
	if len(got) != len(want) {
		t.Fatalf("%q: %d members, encoding/json has %d", text, len(got), len(want))
	}
	for name, raw := range want {
		v, ok := got[name]
		if !ok {
			t.Fatalf("%q: no member %q", text, name)
		}
		compareValue(t, v, raw)
	}
}

func compareValue(t *testing.T, got value, raw json.RawMessage) {
	t.Helper()
	if !sameJSON(t, string(got.json()), string(raw)) {
		t.Fatalf("%s read as %s", raw, got.json())
	}
	if got.kind != list {
		return
	}
	var items []json.RawMessage
	if err := json.Unmarshal(raw, &items); err != nil || len(items) != len(got.items()) {
		t.Fatalf("%s has %d items, read as %d (%v)", raw, len(items), len(got.items()), err)
	}
	for i, item := range got.items() {
		compareValue(t, item, items[i])
	}
}

// Escape sequences in texts are decoded.
func TestEscapedTextsAreKept(t *testing.T) {
	t.Parallel()
	r := interpretText("x.json", `{"id": "x", "title": "a \"title\"", "body": "b", "priority": 1, "audience": "all", "requirement": "optional",
		"categories": ["say \"go\"", "testing"], "teamIds": ["a\\b", "plain", "c\u0001"], "owner": "tab\there"}`)
	e := r.Entry.Instruction()
	if e.Title != `a "title"` || e.Owner != "tab\there" || !slices.Equal(e.TeamIDs, []string{`a\b`, "plain", "c\x01"}) ||
		!slices.Equal(e.Categories, []string{`say "go"`, "testing"}) {
		t.Errorf("%q, %q, %q, %q", e.Title, e.Owner, e.TeamIDs, e.Categories)
	}
}

// Memory for a list is not allocated by its number of commas, which may be in one text:
// that would take 24 times the size of the file.
func TestItemsTakeRoomForThemselves(t *testing.T) {
	t.Parallel()
	items := value{kind: list, text: `["` + strings.Repeat(",", 1000) + `"]`}.items()
	if len(items) != 1 || cap(items) > 100 {
		t.Errorf("room for %d, and there are %d", cap(items), len(items))
	}
}

// A duplicate name in an object is an error in JSON and in Markdown, at any depth.
func TestNamesTwice(t *testing.T) {
	t.Parallel()
	for _, value := range []string{`{"a":1,"a":2}`, `{"a":1,"b":2,"\u0061":1}`, `{"x":[{"a":1},{"a":1,"a":2}]}`, `[{"a":1,"a":2}]`} {
		for name, r := range map[string]Outcome{
			"JSON": interpretText("x.json", jsonWith("extensions", value)),
			"YAML": interpretText("x.md", markdownWith("extensions: "+value)),
		} {
			if r.Entry != nil || !strings.Contains(said(r), `"a" appears twice in an object: keep one of the two`) {
				t.Errorf("%s in %s: said %q", value, name, said(r))
			}
		}
	}
	if r := interpretText("x.json", jsonWith("extensions", `{"x":{"a":1},"y":[{"a":1},{"a":1}],"a":1}`)); r.Entry == nil || len(r.Diagnostics) > 0 {
		t.Errorf("said %q", said(r))
	}
}
