package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"instruction-catalog/schemas"
)

// contractCall is a call of the built program with its expected answer. In params,
// $HASH stands for the catalog's hash and $CURSOR for the last nextCursor.
type contractCall struct {
	on      string // the catalog: "" is the fixture, others are in [contractCatalogs]
	method  string
	params  string
	variant string // title of the branch of the result's oneOf; "" if there is none
}

// contractCalls reach every method, every variant of its result and every member of
// every result. The test fails if they do not.
var contractCalls = []contractCall{
	{"", "health/check", `{}`, ""},
	{"", "health/check", `{"detail":true}`, ""},
	{"missing", "health/check", `{"detail":true}`, ""},
	{"forgetful", "health/check", `{"detail":true}`, ""},
	{"gone", "health/check", `{"detail":true}`, ""},
	{"damaged", "health/check", `{"detail":true}`, ""},
	{"unkept", "health/check", `{"detail":true}`, ""},
	{"broken", "health/check", `{"detail":true}`, ""},
	{"", "instructions/list", `{"appliesTo":"x.py","fields":["approval","applies"]}`, ""},
	{"", "instructions/search", `{"q":"","appliesTo":"x.py","fields":["approval","applies"]}`, ""},
	{"broken", "instructions/search", `{"q":"","also":true}`, ""},
	{"", "instructions/get", `{"id":"tabs-or-spaces","fields":["approval"]}`, "found"},
	{"", "instructions/diff", `{"fields":["approval"]}`, "changed"},
	{"", "instructions/diff", `{"known":[],"fields":["approval"]}`, "precise"},
	{"", "instructions/diff", `{"known":[{"id":"tabs-or-spaces","sourceHash":""}],"fields":["approval"]}`, "precise"},
	{"", "instructions/list", `{}`, ""},
	{"", "instructions/list", `{"category":"GO","requirement":"mandatory","audience":"individual"}`, ""},
	{"", "instructions/list", `{"fields":["title"],"limit":2}`, ""},
	{"", "instructions/list", `{"fields":["title"],"limit":2,"cursor":"$CURSOR"}`, ""},
	{"", "instructions/list", `{"fields":["entryHash","origin"],"revision":true}`, ""},
	{"", "instructions/list", `{"category":"securty","nearest":true,"sort":"priority","status":"draft"}`, ""},
	{"", "instructions/list", `{"categories":true}`, ""},
	{"", "instructions/search", `{"q":"","category":"securty","nearest":true,"sort":"priority","status":"draft"}`, ""},
	{"", "instructions/search", `{"q":""}`, ""},
	{"", "instructions/search", `{"q":"e","fields":["entryHash","origin"],"revision":true}`, ""},
	{"", "instructions/search", `{"q":"STRASSE","fields":["priority"]}`, ""},
	{"", "instructions/search", `{"q":"e","limit":1}`, ""},
	{"", "instructions/search", `{"q":"e","limit":1,"cursor":"$CURSOR"}`, ""},
	{"", "instructions/search", `{"q":"found nowhere"}`, ""},
	{"", "instructions/search", `{"q":"STRASSE","snippet":true}`, ""},
	{"", "instructions/search", `{"q":"e","snippet":true,"fields":["title"],"limit":2}`, ""},
	{"", "instructions/search", `{"q":"","snippet":true,"fields":["id"]}`, ""},
	{"", "instructions/search", `{"q":"keep the secret","mode":"ranked"}`, ""},
	{"", "instructions/search", `{"q":"","mode":"ranked","fields":["title"],"snippet":true,"limit":1}`, ""},
	{"", "instructions/search", `{"q":"","mode":"ranked","limit":1,"cursor":"$CURSOR"}`, ""},
	{"", "instructions/search", `{"q":"found nowhere","mode":"ranked"}`, ""},
	{"", "instructions/search", `{"q":"STRASSE","mode":"substring"}`, ""},
	{"", "instructions/check", `{"path":"strasse.md"}`, "checked"},
	{"", "instructions/check", `{"path":".github/instructions/new.instructions.md","text":"---\napplyTo: [a]\n---\nBe brief.\n"}`, "checked"},
	{"", "instructions/check", `{"path":"no-such-file.md"}`, "notFound"},
	{"", "instructions/get", `{"id":"tabs-or-spaces"}`, "found"},
	{"signed", "instructions/get", `{"id":"cursor-rules-go","proof":true}`, "found"},
	{"signed", "instructions/get", `{"id":"deep-agents","proof":true}`, "found"},
	{"", "instructions/get", `{"id":"Loose.Values"}`, "found"},
	{"", "instructions/get", `{"id":"strasse","bodyOffset":15}`, "found"},
	{"", "instructions/get", `{"id":"strasse","bodyLimit":1e3}`, "found"},
	{"", "instructions/get", `{"id":"strasse","bodyOffset":0.0,"bodyLimit":1}`, "found"},
	{"", "instructions/get", `{"id":"no-such-entry"}`, "notFound"},
	{"", "instructions/get", `{"id":"strase","nearest":true}`, "notFound"},
	{"", "instructions/get", `{"id":"instruction://strasse"}`, "found"},
	{"", "instructions/get", `{"id":"no-such-entry","bodyOffset":1000000}`, "notFound"},
	{"", "instructions/get", `{"id":"tabs-or-spaces","fields":["entryHash","origin"],"revision":true}`, "found"},
	{"", "instructions/diff", `{}`, "changed"},
	{"", "instructions/diff", `{"revision":true}`, "changed"},
	{"", "instructions/diff", `{"fields":["origin"]}`, "changed"},
	{"", "instructions/diff", `{"known":[{"id":"tabs-or-spaces","sourceHash":""}],"fields":["origin"]}`, "precise"},
	{"", "instructions/diff", `{"clientHash":"$HASH","revision":true}`, "upToDate"},
	{"", "instructions/diff", `{"known":[{"id":"tabs-or-spaces","sourceHash":"","entryHash":"old"}],"revision":true}`, "precise"},
	{"", "instructions/diff", `{"clientHash":"of another catalog"}`, "changed"},
	{"", "instructions/diff", `{"clientHash":"$HASH"}`, "upToDate"},
	{"", "instructions/diff", `{"known":[]}`, "precise"},
	{"", "instructions/diff", `{"known":[{"id":"tabs-or-spaces","sourceHash":"old"},{"id":"gone","sourceHash":""}]}`, "precise"},
	{"bare", "instructions/diff", `{"known":[{"id":"only","sourceHash":"` + onlyHash + `"}]}`, "precise"},
	{"bare", "instructions/diff", `{"clientHash":"$HASH","known":[{"id":"only","sourceHash":"` + onlyHash + `"}]}`, "upToDate"},
	{"changing", "instructions/diff", `{"since":"$BEFORE"}`, "precise"},
	{"changing", "instructions/diff", `{"since":"$BEFORE","fields":["entryHash"],"limit":1}`, "precise"},
	{"changing", "instructions/diff", `{"since":"$BEFORE","revision":true,"cursor":"$CURSOR"}`, "precise"},
	{"changing", "instructions/diff", `{"since":"$HASH"}`, "upToDate"},
	{"changing", "instructions/diff", `{"since":"of another catalog"}`, "resync"},
	{"changing", "instructions/subscribe", `{}`, ""},
	{"changing", "instructions/unsubscribe", `{}`, ""},
	{"", "integrity/verify", `{}`, ""},
	{"", "integrity/verify", `{"detail":true,"origin":true}`, ""},
	{"", "usage/track", `{"id":"secrets"}`, "counted"},
	{"", "usage/track", `{"id":"Loose.Values"}`, "counted"},
	{"unkept", "usage/track", `{"id":"only"}`, "counted"},
	{"", "usage/track", `{"id":"secrets","action":"retrieved","signal":"helpful"}`, "counted"},
	{"", "usage/track", `{"id":"secrets","action":"applied","signal":"outdated"}`, "counted"},
	{"", "usage/track", `{"id":"secrets","signal":"not-relevant"}`, "counted"},
	{"", "usage/track", `{"id":"no-such-entry"}`, "notFound"},
	{"", "usage/hotset", `{}`, ""},
	{"", "usage/hotset", `{"limit":-7}`, ""},
	{"", "usage/hotset", `{"detail":true,"unusedDays":1}`, ""},
	{"bare", "usage/hotset", `{"limit":1000}`, ""},
	{"", "gates/evaluate", `{}`, "evaluated"},
	{"", "gates/evaluate", `{"offenders":true}`, "evaluated"},
	{"bare", "gates/evaluate", `{}`, "notConfigured"},
	{"", "prompt/review", `{"prompt":"one two three four"}`, ""},
	{"", "prompt/review", `{"prompt":"five"}`, ""},
	{"", "prompt/review", `{"prompt":"one two three four","detail":true}`, ""},
	{"", "rpc.discover", `{}`, ""},
	{"", "metrics/snapshot", `{}`, ""},
	{"", "metrics/snapshot", `{"detail":true}`, ""},
}

// onlyHash is the SHA-256 of the body of the catalog "bare": "Only this.\n".
const onlyHash = "4bf2cf192dc620c0f69f393036068c57914ff37ecbc971fbbaf9c85ca37077e0"

// contractCriteria has a rule of every severity.
const contractCriteria = `{"version": "1", "categories": [{"id": "numbers", "rules": [
	{"id": "r1", "pattern": "one", "severity": "critical", "description": "It says one", "remediation": "Say nothing"},
	{"id": "r2", "pattern": "two", "severity": "high", "description": "It says two"},
	{"id": "r3", "pattern": "three", "severity": "medium", "description": "It says three"},
	{"id": "r4", "pattern": "four", "severity": "low", "description": "It says four"},
	{"id": "r5", "mustContain": "five", "severity": "info", "description": "five"}
]}]}`

// damagedJournal contains an invalid line.
const damagedJournal = `f3c6f82e {"journal":"uses of instructions","version":1,"generation":"JYGHPYZ5UM56C4EEISKSIDODCN","since":"2026-11-22T07:07:46.312Z"}
damaged
`

// contractSessions holds a running program for each catalog, by name.
type contractSessions map[string]*session

func startContract(t *testing.T, p program) contractSessions {
	t.Helper()
	dir := t.TempDir()
	criteria := filepath.Join(dir, "criteria.json")
	bare := filepath.Join(dir, "bare")
	changing := filepath.Join(dir, "changing")
	forgetful, state := filepath.Join(dir, "forgetful"), t.TempDir()
	damaged := filepath.Join(dir, "uses.journal")
	for path, content := range map[string]string{
		criteria: contractCriteria, filepath.Join(bare, "only.md"): "Only this.\n", damaged: damagedJournal,
		filepath.Join(forgetful, "a.md"): "This.\n", historyFileOf(t, state, forgetful): "damaged",
		filepath.Join(changing, "a.md"): "This.\n", filepath.Join(changing, "b.md"): "That.\n",
	} {
		writeFile(t, path, content)
	}
	return contractSessions{
		"":          p.serve(t, fixture(t), "--criteria", criteria),
		"gone":      p.serveGone(t),
		"broken":    p.serveBroken(t),
		"bare":      p.serve(t, bare),
		"changing":  p.serve(t, changing),
		"forgetful": p.startWith(t, state, "serve", "--dir", forgetful),
		"missing":   p.serve(t, filepath.Join(dir, "missing")),
		"damaged":   p.serve(t, bare, "--usage", damaged),
		"unkept":    p.serve(t, bare, "--usage", dir),
		"signed":    p.serveSigned(t),
		"unsigned":  p.serve(t, bare, "--require-signed", newSigned(t, p).public),
	}
}

// serveGone starts the server on a catalog and then removes the catalog.
func (p program) serveGone(t *testing.T) *session {
	t.Helper()
	dir := fixture(t)
	s := p.serve(t, dir)
	s.until("health/check", `{"detail":true}`, `"ready"`)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	s.until("health/check", `{"detail":true}`, `"stale"`)
	return s
}

// serveBroken starts the server on a catalog with two equal entries and one file that
// becomes invalid afterwards.
func (p program) serveBroken(t *testing.T) *session {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"a.md", "b.md", "c.md"} {
		writeFile(t, filepath.Join(dir, name), "The same.\n")
	}
	s := p.serve(t, dir)
	s.until("health/check", `{"detail":true}`, `"ready"`)
	writeFile(t, filepath.Join(dir, "c.md"), "")
	s.until("health/check", `{"detail":true}`, `"kept":1`)
	return s
}

// serveSigned starts the server on a signed catalog that has rules for some files.
func (p program) serveSigned(t *testing.T) *session {
	t.Helper()
	c := newSigned(t, p)
	c.write(".cursor/rules/go.mdc", "---\nglobs: *.go\n---\nWrap errors.\n")
	c.write("deep/AGENTS.md", "# Deep\n\nGo deeper.\n")
	c.sign()
	return p.serve(t, c.dir, "--require-signed", c.public)
}

// unreached are the members of results that cannot be produced by a process on every
// system, and members of entries that these methods never return. Tests inside the
// packages cover the former.
var unreached = strings.Fields(`catalog.unwatched
	item.origin.links items[].origin.links issues[].origin.links
	added[].origin.links changed[].origin.links updated[].origin.links
	item.applies item.applies.by item.applies.what
	added[].applies added[].applies.by added[].applies.what
	changed[].applies changed[].applies.by changed[].applies.what
	updated[].applies updated[].applies.by updated[].applies.what`)

func writeFile(t *testing.T, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestContractResults makes every call and checks the result against the method's
// schema and the expected variant.
func TestContractResults(t *testing.T) {
	t.Parallel()
	p := build(t)
	sessions := startContract(t, p)
	seen := map[string]*coverage{}
	for _, name := range discovered(t, sessions[""]) {
		seen[name] = newCoverage(contractOf(t, name).Result)
	}
	values := map[string]string{"changing before": sessions.change(t)}
	for _, c := range contractCalls {
		answer := sessions[c.on].call(c.method, fill(c.params, c.on, values))
		if answer.Error != nil {
			t.Errorf("%s %s: %s", c.method, c.params, answer.line)
			continue
		}
		issues, err := contractOf(t, c.method).Result.Validate(answer.Result)
		if err != nil || len(issues) > 0 {
			t.Errorf("%s %s: the result does not match its schema: %v %v", c.method, c.params, issues, err)
		}
		if variant := seen[c.method].result(t, answer.Result); variant != c.variant {
			t.Errorf("%s %s: the result is the variant %q, want %q", c.method, c.params, variant, c.variant)
		}
		keep(t, answer.Result, c.on, values)
	}
	for name, coverage := range seen {
		for _, place := range coverage.missing() {
			if !slices.Contains(unreached, place) {
				t.Errorf("%s: no call reaches %s of the result: add one to contractCalls", name, place)
			}
		}
	}
}

// fill replaces the placeholders in params with values of earlier answers for the same
// catalog.
func fill(params, on string, values map[string]string) string {
	return strings.NewReplacer("$HASH", values[on+" hash"], "$CURSOR", values[on+" nextCursor"], "$BEFORE", values[on+" before"]).Replace(params)
}

func keep(t *testing.T, result []byte, on string, values map[string]string) {
	t.Helper()
	var r struct{ Hash, NextCursor string }
	if err := json.Unmarshal(result, &r); err != nil {
		t.Fatal(err)
	}
	if r.Hash != "" {
		values[on+" hash"] = r.Hash
	}
	if r.NextCursor != "" {
		values[on+" nextCursor"] = r.NextCursor
	}
}

// discovered returns the names of all methods in the answer of rpc.discover.
func discovered(t *testing.T, s *session) (names []string) {
	t.Helper()
	var doc struct{ Methods []struct{ Name string } }
	if err := json.Unmarshal(s.call("rpc.discover", "{}").Result, &doc); err != nil {
		t.Fatal(err)
	}
	for _, m := range doc.Methods {
		names = append(names, m.Name)
	}
	if !slices.Equal(names, schemas.V1().Methods()) {
		t.Errorf("rpc.discover names %q, the documents %q", names, schemas.V1().Methods())
	}
	return names
}

func contractOf(t *testing.T, name string) *schemas.Method {
	t.Helper()
	m, ok := schemas.V1().Method(name)
	if !ok {
		t.Fatalf("no document describes %s", name)
	}
	return m
}

// TestContractErrors checks errors: their code, the form of their data, and the advice
// in the message.
func TestContractErrors(t *testing.T) {
	t.Parallel()
	p := build(t)
	sessions := startContract(t, p)
	const staleCursor = "MzJlYThmOWFjOTkwMzg2NGM2Yzk4Y2UyMWFjZDk2Yzk2NWEyZDAwZjEyYWEwMGNhYTVlOTg3NzYzM2U2NWZhYzplcnJvci13cmFwcGluZw"
	deep := strings.Repeat("[", 65) + strings.Repeat("]", 65)
	tests := []struct {
		on, method, params string
		code               int
		data               string // definition that the data must fit; "" for no data
		message            string // part of the error object
	}{
		{"", "no/such", `{}`, -32601, "", "rpc.discover lists"},
		{"", "instructions.get", `{}`, -32601, "", "rpc.discover lists"},
		{"", "instructions/get", `{}`, -32602, "InvalidParams", "id: is required"},
		{"", "instructions/get", `{"id":7}`, -32602, "InvalidParams", "must be a string"},
		{"", "instructions/get", `{"id":""}`, -32602, "InvalidParams", "must not be empty"},
		{"", "instructions/get", `["secrets"]`, -32602, "InvalidParams", "by name"},
		{"", "instructions/get", `{"id":` + deep + `}`, -32602, "InvalidParams", "64 levels"},
		{"", "instructions/get", `{"id":"strasse","bodyOffset":57}`, -32602, "InvalidParams", "bodyOffset: must be less than 57, the length of the body in characters"},
		{"", "instructions/get", `{"id":"strasse","bodyOffset":1e300,"bodyLimit":1}`, -32602, "InvalidParams", "must be less than 57"},
		{"", "instructions/get", `{"id":"strasse","bodyOffset":-1,"bodyLimit":0}`, -32602, "InvalidParams", "bodyLimit: must be at least 1"},
		{"", "instructions/get", `{"id":"strasse","bodyLimit":1000001}`, -32602, "InvalidParams", "at most 1000000"},
		{"", "instructions/get", `{"id":"strasse","bodyOffset":null}`, -32602, "InvalidParams", "must be an integer"},
		{"", "instructions/list", `{"unknown":1,"limit":0,"fields":["nope"],"cursor":""}`, -32602, "InvalidParams", "cursor: must not be empty"},
		{"", "instructions/list", `{"limit":10001}`, -32602, "InvalidParams", "at most 10000"},
		{"", "instructions/list", `{"limit":1.5}`, -32602, "InvalidParams", "must be an integer"},
		{"", "instructions/list", `{"requirement":"MUST"}`, -32602, "InvalidParams", "must be one of: critical"},
		{"", "instructions/list", `{"cursor":"` + staleCursor + `"}`, -32602, "InvalidParams", "another snapshot"},
		{"", "instructions/list", `{"cursor":"nonsense"}`, -32602, "InvalidParams", "not a cursor of this server"},
		{"", "instructions/search", `{}`, -32602, "InvalidParams", "q: is required"},
		{"", "instructions/search", `{"q":"` + strings.Repeat("ß", 1001) + `"}`, -32602, "InvalidParams", "at most 1000 characters"},
		{"", "instructions/search", `{"q":"e","cursor":"` + staleCursor + `"}`, -32602, "InvalidParams", "another snapshot"},
		{"", "instructions/search", `{"q":"e","snippet":1}`, -32602, "InvalidParams", "snippet: must be a boolean"},
		{"", "instructions/search", `{"q":"e","mode":"fuzzy"}`, -32602, "InvalidParams", "mode: must be one of: substring, ranked"},
		{"", "instructions/search", `{"q":"e","mode":"ranked","cursor":"` + staleCursor + `"}`, -32602, "InvalidParams", "another snapshot"},
		{"", "instructions/search", `{"q":"e","mode":"ranked","cursor":"nonsense"}`, -32602, "InvalidParams", "not a cursor of this server"},
		{"missing", "instructions/search", `{"q":"e","mode":"ranked"}`, -32005, "Failure", "catalog init"},
		{"", "instructions/get", `{"id":"secrets","proof":true}`, -32006, "Failure", "catalog sign"},
		{"unsigned", "instructions/list", `{}`, -32006, "Failure", "only a catalog signed by"},
		{"unsigned", "instructions/get", `{"id":"only"}`, -32006, "Failure", "only a catalog signed by"},
		{"unsigned", "usage/track", `{"id":"only"}`, -32006, "Failure", "only a catalog signed by"},
		{"unsigned", "gates/evaluate", `{}`, -32006, "Failure", "only a catalog signed by"},
		{"", "instructions/check", `{"path":"../strasse.md"}`, -32602, "InvalidParams", "path: must lie in the folder of the catalog"},
		{"missing", "instructions/check", `{"path":"a.md"}`, -32005, "Failure", "catalog init"},
		{"", "instructions/list", `{"snippet":true}`, -32602, "InvalidParams", "is not known here"},
		{"", "instructions/diff", `{"known":[{"id":"a"},{"id":1,"sourceHash":""}]}`, -32602, "InvalidParams", "known[1].id"},
		{"", "instructions/diff", `{"known":null}`, -32602, "InvalidParams", "must be an array"},
		{"", "instructions/diff", `{"since":"x","known":[]}`, -32602, "InvalidParams", "known: and since both say"},
		{"", "instructions/diff", `{"since":"x","clientHash":"x"}`, -32602, "InvalidParams", "clientHash: and since both say"},
		{"", "instructions/diff", `{"limit":1}`, -32602, "InvalidParams", "limit: requires since"},
		{"", "instructions/diff", `{"clientHash":"x","cursor":"x"}`, -32602, "InvalidParams", "cursor: requires since"},
		{"", "instructions/diff", `{"since":""}`, -32602, "InvalidParams", "since: must not be empty"},
		{"missing", "instructions/subscribe", `{}`, -32005, "Failure", "catalog init"},
		{"missing", "instructions/diff", `{"since":"x"}`, -32005, "Failure", "catalog init"},
		{"", "usage/track", `{}`, -32602, "InvalidParams", "id: is required"},
		{"", "usage/hotset", `{"limit":"5"}`, -32602, "InvalidParams", "must be an integer"},
		{"", "metrics/snapshot", `{"detail":1}`, -32602, "InvalidParams", "must be a boolean"},
		{"", "gates/evaluate", `{"gates":[]}`, -32602, "InvalidParams", "is not known here"},
		{"", "rpc.discover", `{"x":1}`, -32602, "InvalidParams", "is not known here"},
		{"", "prompt/review", `{"prompt":"` + strings.Repeat("é", 5121) + `"}`, -32602, "PromptTooLong", `"data":{"max":10240,"length":10242}`},
		{"missing", "instructions/list", `{}`, -32005, "Failure", "catalog init"},
		{"missing", "instructions/get", `{"id":"x"}`, -32005, "Failure", "catalog init"},
		{"missing", "instructions/search", `{"q":""}`, -32005, "Failure", "catalog init"},
		{"missing", "instructions/diff", `{}`, -32005, "Failure", "catalog init"},
		{"missing", "integrity/verify", `{}`, -32005, "Failure", "catalog init"},
		{"missing", "usage/track", `{"id":"x"}`, -32005, "Failure", "catalog init"},
		{"missing", "usage/hotset", `{}`, -32005, "Failure", "catalog init"},
		{"missing", "gates/evaluate", `{}`, -32005, "Failure", "catalog init"},
	}
	for _, tt := range tests {
		answer := sessions[tt.on].call(tt.method, tt.params)
		if answer.Error == nil || answer.Error.Code != tt.code || answer.Result != nil {
			t.Errorf("%s %.80s: want error %d, got %.300s", tt.method, tt.params, tt.code, answer.line)
			continue
		}
		if !strings.Contains(string(answer.line), tt.message) {
			t.Errorf("%s %.80s: the error does not say %q: %s", tt.method, tt.params, tt.message, answer.line)
		}
		checkData(t, answer.Error, tt.data)
	}
}

// checkData validates the data of an error against its definition. Issues must be
// sorted by path and then by message.
func checkData(t *testing.T, e *responseError, definition string) {
	t.Helper()
	if definition == "" {
		if e.Data != nil {
			t.Errorf("error %d has data that nothing describes: %s", e.Code, e.Data)
		}
		return
	}
	schema, ok := schemas.V1().Definition(definition)
	if !ok {
		t.Fatalf("no definition %s", definition)
	}
	if issues, err := schema.Validate(e.Data); err != nil || len(issues) > 0 {
		t.Errorf("the data of error %d is no %s: %s: %v %v", e.Code, definition, e.Data, issues, err)
	}
	var data struct{ Issues []schemas.Issue }
	if err := json.Unmarshal(e.Data, &data); err != nil {
		t.Fatal(err)
	}
	sorted := slices.IsSortedFunc(data.Issues, func(a, b schemas.Issue) int {
		return strings.Compare(a.Path+"\x00"+a.Message, b.Path+"\x00"+b.Message)
	})
	if !sorted {
		t.Errorf("the issues are not sorted: %s", e.Data)
	}
}

// TestContractExamples makes the call of every documented example, on the catalog that
// the examples of instructions/list show. The answers must fit the schema. If only the
// catalog determines the answer, it must equal the example's result.
func TestContractExamples(t *testing.T) {
	t.Parallel()
	p := build(t)
	s := p.serve(t, exampleCatalog(t))
	for _, name := range schemas.V1().Methods() {
		m := contractOf(t, name)
		for _, e := range m.Examples() {
			for schema, value := range map[*schemas.Schema]json.RawMessage{m.Params: e.Params, m.Result: e.Result} {
				if issues, err := schema.Validate(value); err != nil || len(issues) > 0 {
					t.Errorf("%s, example %q: %s does not fit the schema: %v %v", name, e.Name, value, issues, err)
				}
			}
			answer := s.call(name, inLine(t, e.Params))
			if answer.Error != nil {
				t.Errorf("%s, example %q: %s", name, e.Name, answer.line)
				continue
			}
			if issues, err := m.Result.Validate(answer.Result); err != nil || len(issues) > 0 {
				t.Errorf("%s, example %q: the answer does not fit the schema: %v %v", name, e.Name, issues, err)
			}
			if strings.HasPrefix(name, "instructions/") && !equalJSON(t, answer.Result, e.Result) {
				t.Errorf("%s, example %q is answered\n%s\nand not\n%s", name, e.Name, answer.Result, e.Result)
			}
		}
	}
}

// exampleCatalog writes the entries of the first example of instructions/list.
func exampleCatalog(t *testing.T) string {
	t.Helper()
	var result struct{ Items []json.RawMessage }
	if err := json.Unmarshal(contractOf(t, "instructions/list").Examples()[0].Result, &result); err != nil || len(result.Items) == 0 {
		t.Fatalf("the first example of instructions/list shows no entries: %v", err)
	}
	dir := t.TempDir()
	for _, item := range result.Items {
		var entry struct{ ID string }
		if err := json.Unmarshal(item, &entry); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, entry.ID+".json"), string(item))
	}
	return dir
}

// oneLine returns JSON as it may stand in a line of the protocol.
func inLine(t *testing.T, value []byte) string {
	t.Helper()
	var line bytes.Buffer
	if err := json.Compact(&line, value); err != nil {
		t.Fatal(err)
	}
	return line.String()
}

func equalJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var values [2]any
	for i, text := range [][]byte{a, b} {
		if err := json.Unmarshal(text, &values[i]); err != nil {
			t.Fatal(err)
		}
	}
	x, errX := json.Marshal(values[0])
	y, errY := json.Marshal(values[1])
	return errX == nil && errY == nil && string(x) == string(y)
}
