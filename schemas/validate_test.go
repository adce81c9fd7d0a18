package schemas_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"

	"instruction-catalog/schemas"
)

type issues = []schemas.Issue

func validate(t testing.TB, s *schemas.Schema, data string) issues {
	t.Helper()
	found, err := s.Validate([]byte(data))
	if err != nil {
		t.Fatalf("Validate(%.80s): %v", data, err)
	}
	return found
}

const listMembers = "known are: agent, appliesTo, audience, categories, category, count, cursor, fields, limit, load, nearest, requirement, revision, sort, status"

func TestIssuesOfParams(t *testing.T) {
	t.Parallel()
	tests := []struct {
		method, params string
		want           issues
	}{
		{"instructions/list", `{}`, nil},
		{"instructions/list", `{"limit":50,"audience":"all"}`, nil},
		{"instructions/list", `{"limt":50}`, issues{{"limt", "is not known here; " + listMembers}}},
		{"instructions/list", `{"audience":"team"}`, issues{{"audience", "must be one of: all, group, individual"}}},
		{"instructions/list", `{"limit":0}`, issues{{"limit", "must be at least 1"}}},
		{"instructions/list", `{"limit":10001}`, issues{{"limit", "must be at most 10000"}}},
		{"instructions/list", `{"limit":1.5}`, issues{{"limit", "must be an integer, without a fraction"}}},
		{"instructions/list", `{"limit":"5"}`, issues{{"limit", "must be an integer, not a string"}}},
		{"instructions/list", `{"limit":null}`, issues{{"limit", "must be an integer, not null"}}},
		{"instructions/list", `{"limit":-1E+40}`, issues{{"limit", "must be at least 1"}}},
		{"instructions/list", `{"cursor":""}`, issues{{"cursor", "must not be empty"}}},
		{"instructions/list", `{"fields":[]}`, issues{{"fields", "must not be empty"}}},
		{"instructions/list", `{"fields":"title"}`, issues{{"fields", "must be an array, not a string"}}},
		{"instructions/list", `{"fields":["title",7]}`, issues{{"fields[1]", "must be a string, not an integer"}}},
		{"instructions/list", `[]`, issues{{"", "must be an object, not an array"}}},
		{"instructions/list", `null`, issues{{"", "must be an object, not null"}}},
		{"instructions/list", `{"a.b":1,"":1,"ж":1}`, issues{
			{`[""]`, "is not known here; " + listMembers},
			{`["a.b"]`, "is not known here; " + listMembers},
			{"ж", "is not known here; " + listMembers},
		}},
		{"instructions/list", `{"limit":0,"category":1,"audience":"x"}`, issues{
			{"audience", "must be one of: all, group, individual"},
			{"category", "must be a string, not an integer"},
			{"limit", "must be at least 1"},
		}},
		{"instructions/get", `{}`, issues{{"id", "is required"}}},
		{"instructions/search", `{"q":"` + strings.Repeat("ß", 1000) + `"}`, nil},
		{"instructions/search", `{"q":"` + strings.Repeat("ß", 1001) + `"}`, issues{{"q", "must have at most 1000 characters"}}},
		{"rpc.discover", `{"x":1}`, issues{{"x", "is not known here; no members are"}}},
		{"gates/evaluate", `{"x":1}`, issues{{"x", "is not known here; known are: offenders"}}},
		{"health/check", `{"detail":1}`, issues{{"detail", "must be a boolean, not an integer"}}},
		{"instructions/diff", `{"known":[{"id":"a","sourceHash":""},{"id":"","sourceHash":"b"},{"id":"c"}]}`, issues{
			{"known[1].id", "must not be empty"},
			{"known[2].sourceHash", "is required"},
		}},
		{"instructions/diff", `{"known":[{"id":"a","sourceHash":"b","hash":"c"}]}`, issues{
			{"known[0].hash", "is not known here; known are: entryHash, id, sourceHash"},
		}},
		{"instructions/diff", `{"known":{"0":{"id":1}}}`, issues{{"known", "must be an array, not an object"}}},
		{"usage/hotset", `{"limit":-5}`, nil},
		{"usage/hotset", `{"limit":99999999999999999999}`, nil},
		{"prompt/review", `{"prompt":""}`, nil},
	}
	for _, tt := range tests {
		if got := validate(t, method(t, tt.method).Params, tt.params); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s %.80s:\n got %q\nwant %q", tt.method, tt.params, got, tt.want)
		}
	}
}

func TestIssuesOfResultsWithVariants(t *testing.T) {
	t.Parallel()
	const none = "has none of the forms allowed here; measured by the nearest, "
	tests := []struct {
		method, result string
		want           issues
	}{
		{"usage/track", `{"notFound":false}`, issues{{"", none + "notFound must be true"}}},
		{"usage/track", `{"id":"a","usageCount":1}`, issues{{"", none + "lastUsedAt is required"}}},
		{"usage/track", `[]`, issues{{"", "must be an object, not an array"}}},
		{"usage/track", `{"id":"a","usageCount":1,"lastUsedAt":"yesterday"}`, issues{{"", none + `lastUsedAt must match the pattern ` +
			`^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]{1,9})?Z$`}}},
		{"instructions/list", `{"hash":"` + strings.Repeat("0", 64) + `","count":1,"items":[{"id":"a","title":7}]}`,
			issues{{"items[0]", none + "items[0].title must be a string, not an integer"}}},
		{"instructions/list", `{"hash":"` + strings.Repeat("0", 64) + `","count":1,"items":[7]}`,
			issues{{"items[0]", none + "it must be an object, not an integer"}}},
	}
	for _, tt := range tests {
		if got := validate(t, method(t, tt.method).Result, tt.result); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s %s:\n got %q\nwant %q", tt.method, tt.result, got, tt.want)
		}
	}
}

// TestIssuesOfOtherKeywords checks keywords that this contract does not use but another
// one might.
func TestIssuesOfOtherKeywords(t *testing.T) {
	t.Parallel()
	tests := []struct{ schema, value, message string }{
		{`{"exclusiveMinimum":1}`, `1`, "must be greater than 1"},
		{`{"exclusiveMaximum":1.5}`, `2`, "must be less than 1.5"},
		{`{"multipleOf":3}`, `4`, "must be a multiple of 3"},
		{`{"minLength":2}`, `"a"`, "must have at least 2 characters"},
		{`{"minItems":2}`, `[1]`, "must have at least 2 elements"},
		{`{"maxItems":0}`, `[1]`, "must have at most 0 elements"},
		{`{"minProperties":1}`, `{}`, "must not be empty"},
		{`{"maxProperties":1}`, `{"a":1,"b":2}`, "must have at most 1 members"},
		{`{"not":{}}`, `1`, "does not fit: Must not validate the schema (not)"},
		{`{"type":["string","null"]}`, `1`, "must be a string or null, not an integer"},
		{`{"enum":["<",7,null]}`, `1`, "must be one of: <, 7, null"},
		{`{"allOf":[{"type":"string"}]}`, `1`, "must be a string, not an integer"},
		{`{"oneOf":[{"type":"integer"},{"minimum":0}]}`, `1`, "fits more than one of the forms allowed here"},
		{`{"if":{"type":"integer"},"then":{"minimum":5}}`, `1`, "must be at least 5"},
	}
	for _, tt := range tests {
		set := load(t, map[string]string{"file.x.json": tt.schema})
		f, _ := set.File("x")
		want := issues{{"", tt.message}}
		if got := validate(t, f, tt.value); !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s: got %q, want %q", tt.schema, tt.value, got, want)
		}
	}
}

func TestNoJSONAtAll(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for _, data := range []string{"", " ", "{", `{"a":`, "nul", "{}{}", "{} x", "{} \x00", "'a'", `{"a":01}`, deep} {
		if got, err := method(t, "instructions/list").Params.Validate([]byte(data)); err == nil {
			t.Errorf("Validate(%.20q) = %q, want an error", data, got)
		}
	}
}

func TestNumbersBeyondReading(t *testing.T) {
	// Not parallel, because it measures allocations.
	const message = "is a number too long or too large to be read exactly: write one between -1e308 and 1e308 in fewer digits"
	tests := []string{
		"1e999999999", "-1E+400", "1e309", "1E99999999999999999999", "1e-999999999", "1e-401",
		strings.Repeat("9", 401), "0." + strings.Repeat("1", 1_000_000),
	}
	params := method(t, "instructions/list").Params
	validate(t, params, `{}`) // compile before measuring
	for _, number := range tests {
		for _, path := range []string{"limit", "audience", "category", "unknown"} {
			var got issues
			allocated := bytesAllocated(func() { got = validate(t, params, `{"`+path+`":`+number+`}`) })
			if want := (issues{{path, message}}); !reflect.DeepEqual(got, want) {
				t.Errorf("%s %.20s: got %q, want %q", path, number, got, want)
			}
			if allocated > 16<<20 {
				t.Errorf("%s %.20s: %d bytes were allocated", path, number, allocated)
			}
		}
	}
	for _, number := range []string{"1e308", "-1e-400", strings.Repeat("9", 300), "0"} {
		if got := validate(t, params, `{"limit":`+number+`}`); reflect.DeepEqual(got, issues{{"limit", message}}) {
			t.Errorf("%.20s is refused before the schema is asked", number)
		}
	}
}

func bytesAllocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestManyMistakesAreBounded checks that the answer and its cost stay small, however
// many errors a value has.
func TestManyMistakesAreBounded(t *testing.T) {
	// Not parallel, because it measures allocations.
	const n = 200_000
	params := method(t, "instructions/diff").Params
	validate(t, params, `{"known":[1]}`) // compile before measuring
	tests := []struct{ name, value string }{
		{"wrong elements", `{"known":[` + strings.Repeat("1,", n) + `1]}`},
		{"wrong elements after right ones", `{"known":[` + strings.Repeat(`{"id":"a","sourceHash":"b"},`, 1000) + strings.Repeat("1,", n) + `1]}`},
		{"unknown members", `{` + members(n) + `}`},
		{"unknown members of an element", `{"known":[{` + members(n) + `}]}`},
		{"numbers beyond reading", `{"known":[` + strings.Repeat("1e999,", n) + `1]}`},
	}
	for _, tt := range tests {
		var got issues
		allocated := bytesAllocated(func() { got = validate(t, params, tt.value) })
		if len(got) == 0 || len(got) > schemas.MaxIssues {
			t.Errorf("%s: %d issues", tt.name, len(got))
		}
		// Decoding takes about 200 bytes per error here. With the errors of the library
		// it would be more than 1,000.
		if allocated > n*600 {
			t.Errorf("%s: %d bytes were allocated for each mistake", tt.name, allocated/n)
		}
	}
}

func members(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf(`"member%d":1`, i)
	}
	return strings.Join(out, ",")
}

func TestTooManyMembersAreNamed(t *testing.T) {
	t.Parallel()
	got := validate(t, method(t, "instructions/diff").Params, `{"known":[{`+members(10_001)+`}]}`)
	want := issues{{"known[0]", "has 10001 members: at most 10000 are read"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLongNamesAreShortened(t *testing.T) {
	t.Parallel()
	got := validate(t, method(t, "health/check").Params, `{"`+strings.Repeat("é", 1_000_000)+`":1}`)
	want := issues{{`["` + strings.Repeat("é", 60) + `…"]`, "is not known here; known are: detail"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %.300q, want %q", got, want)
	}
}

func TestDeepNestingIsJustAnotherWrongValue(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 9000) + strings.Repeat("]", 9000)
	got := validate(t, method(t, "instructions/list").Params, `{"limit":`+deep+`,"fields":`+deep+`}`)
	want := issues{{"fields[0]", "must be a string, not an array"}, {"limit", "must be an integer, not an array"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestIssuesAreDeterministic checks that the order of issues does not depend on the
// library's iteration over maps.
func TestIssuesAreDeterministic(t *testing.T) {
	t.Parallel()
	const data = `{"a":1,"b":1,"c":1,"limit":"x","audience":1,"fields":[1,2,3]}`
	params := method(t, "instructions/search").Params
	first := validate(t, params, data)
	if len(first) != 9 {
		t.Fatalf("%d issues: %q", len(first), first)
	}
	for range 50 {
		if again := validate(t, params, data); !reflect.DeepEqual(first, again) {
			t.Fatalf("got %q, then %q", first, again)
		}
	}
}

func TestValidateConcurrently(t *testing.T) {
	t.Parallel()
	set, err := schemas.Load(documents(t))
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for _, name := range set.Methods() {
				m, _ := set.Method(name)
				if got := validate(t, m.Params, `{"x":1}`); len(got) == 0 {
					t.Errorf("%s takes a member x", name)
				}
				validate(t, m.Result, `{"x":1}`)
			}
		})
	}
	group.Wait()
}

// TestIssueFitsTheContract checks that the JSON form of an Issue fits the contract.
func TestIssueFitsTheContract(t *testing.T) {
	t.Parallel()
	data, err := json.Marshal(map[string]any{"issues": validate(t, method(t, "instructions/get").Params, `[]`)})
	if err != nil {
		t.Fatal(err)
	}
	if got := validate(t, definition(t, "InvalidParams"), string(data)); got != nil {
		t.Errorf("%s: %q", data, got)
	}
}
