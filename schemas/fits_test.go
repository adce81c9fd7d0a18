package schemas

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// checkFits checks that data accepted by Fits is valid JSON without issues.
func checkFits(t *testing.T, name string, s *Schema, data []byte) (fits bool) {
	t.Helper()
	if !s.Fits(data) {
		return false
	}
	if found, err := s.explain(data); err != nil || found != nil || !json.Valid(data) {
		t.Errorf("%s: %q is said to fit; found: %q, %v", name, data, found, err)
	}
	return true
}

func paramsOf(tb testing.TB, method string) *Schema {
	tb.Helper()
	m, ok := V1().Method(method)
	if !ok {
		tb.Fatalf("there is no method %s", method)
	}
	return m.Params
}

// TestUsualParamsFit checks that the usual params of every method are accepted by Fits.
func TestUsualParamsFit(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 500)
	usual := map[string][]string{
		"instructions/list": {
			`{"limit":10000,"cursor":"YWJj"}`, ` { "audience" : "all" , "fields" : [ "id", "title" ] } `, `{"category":"Gö \"x\" \ud83d\ude00\n"}`,
			"{\n\t\"requirement\": \"critical\"\r\n}",
		},
		"instructions/search": {`{"q":"` + long + `","mode":"ranked","snippet":true}`, `{"q":"a\\b"}`, `{"q":""}`, `{"q":"a","limit":1}`},
		"instructions/get":    {`{"id":"Mixed.Case","bodyOffset":0,"bodyLimit":1000000}`},
		"instructions/diff": {
			`{"known":[]}`, `{"clientHash":"` + strings.Repeat("0a", 32) + `","known":[{"id":"a","sourceHash":""},{"sourceHash":"x","id":"b"}]}`,
		},
		"usage/hotset":  {`{"limit":-5}`, `{"limit":0}`},
		"prompt/review": {`{"prompt":"Line one.\nLine two: \u0041 ` + long + `"}`},
	}
	for _, name := range V1().Methods() {
		m, _ := V1().Method(name)
		for _, e := range m.Examples() {
			usual[name] = append(usual[name], string(e.Params))
		}
		for _, params := range usual[name] {
			if !checkFits(t, name, m.Params, []byte(params)) {
				t.Errorf("%s: %.200s takes the long way", name, params)
			}
		}
	}
}

// TestUnusualParamsAreUncertain checks that Fits returns false for unusual params,
// whether or not they fit.
func TestUnusualParamsAreUncertain(t *testing.T) {
	t.Parallel()
	hundred := strings.Repeat("1", 100)
	for name, all := range map[string][]string{
		"instructions/list": {
			``, ` `, `{`, `}`, `{}{}`, `{} x`, `{,}`, `{"limit":1,}`, `{"limit"}`, `{"limit" 1}`, `{"limit":}`, `{"limit":1 "cursor":"a"}`, "\ufeff{}",
			`null`, `[]`, `{"limit":1,"limit":2}`, `{"Limit":1}`, `{"limi":1}`, `{"limit":1.0}`, `{"limit":1e1}`, `{"limit":01}`,
			`{"limit":-}`, `{"limit":0}`, `{"limit":10001}`, `{"limit":` + hundred + `}`, `{"limit":"1"}`, `{"limit":null}`, `{"limit":[1]}`, `{"limit`,
			`{"fields":[]}`, `{"fields":["id",]}`, `{"fields":["id" "id"]}`, `{"fields":["nothing"]}`, `{"fields":["\u0069d"]}`, `{"fields":["id"`,
			`{"fields":[` + strings.Repeat(`"id",`, 42) + `"id"]}`, `{"cursor":""}`, `{"cursor":"a}`, `{"cursor":"\u00g0"}`, `{"cursor":"\x"}`,
			`{"cursor":"\`, `{"cursor":"\u00"}`, "{\"cursor\":\"a\nb\"}", "{\"cursor\":\"é\x00\"}", `{"audience":"team"}`, `{"audience":true}`,
		},
		"instructions/search": {`{}`, `{"q":"` + strings.Repeat("é", 1001) + `"}`, `{"q":"` + strings.Repeat(`\n`, 501) + `"}`, `{"q":"x","snippet":truely}`},
		"instructions/diff": {
			`{"known":[{"id":"a"}]}`, `{"known":[{"id":"","sourceHash":""}]}`, `{"known":[{"id":"a","sourceHash":"","x":1}]}`, `{"known":[1]}`, `{"known":[[]]}`,
			`{"known":[{"id":"a","id":"b","sourceHash":""}]}`, `{"known":[{"id":"a","sourceHash":""}`, `{"known":{}}`,
		},
		"instructions/get": {`{"id":"a","bodyOffset":-1}`, `{"id":"a","bodyOffset":-9999999999999999999}`, `{"id":"a","bodyOffset":` + hundred + `}`},
		"gates/evaluate":   {`{"x":1}`, `{"":1}`},
	} {
		for _, params := range all {
			if checkFits(t, name, paramsOf(t, name), []byte(params)) {
				t.Errorf("%s: %.200s is certain", name, params)
			}
		}
	}
}

// mutations are the characters that a mutation may insert.
const mutations = `{}[]",:\u0e+-.19 tné` + "\x00\n\xff"

// FuzzFits mutates the params of every method and checks that everything Fits accepts is
// valid.
func FuzzFits(f *testing.F) {
	var names []string
	for _, name := range V1().Methods() {
		m, _ := V1().Method(name)
		for _, e := range m.Examples() {
			f.Add([]byte(e.Params), uint64(len(names)))
			names = append(names, name)
		}
	}
	for i, text := range []string{`{"limit":9999999999999999999}`, `{"q":"\ud800\ud800é","q":"x"}`, `{"id":"\u0041"}`, `{"fields":["id"],"limit":-0}`} {
		f.Add([]byte(text), uint64(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, seed uint64) {
		random := rand.New(rand.NewPCG(seed, 0))
		for range 20 {
			for _, name := range V1().Methods() {
				checkFits(t, name, paramsOf(t, name), data)
			}
			data = mutated(random, data)
		}
	})
}

// mutated returns a copy of data with a small random change.
func mutated(random *rand.Rand, data []byte) []byte {
	at := random.IntN(len(data) + 1)
	until := min(at+random.IntN(3), len(data))
	change := mutations[random.IntN(len(mutations)):]
	change = change[:min(random.IntN(3), len(change))]
	return slices.Concat(data[:at], []byte(change), data[until:])
}

// TestFitsOfChangedParams applies a few random changes to examples and long values. Many
// of the results still fit and many do not.
func TestFitsOfChangedParams(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	fitting, total := 0, 0
	for _, name := range V1().Methods() {
		m, _ := V1().Method(name)
		for _, e := range m.Examples() {
			for range 300 {
				data := []byte(e.Params)
				for range 3 {
					data = mutated(random, data)
					total++
					if checkFits(t, name, m.Params, data) {
						fitting++
					}
				}
			}
		}
	}
	if fitting < total/20 || fitting > total*19/20 {
		t.Errorf("%d of %d fit: the test says little", fitting, total)
	}
}

// bounded maps schemas to values around their limits.
var bounded = map[string][]string{
	`{"type":"integer","minimum":-3,"maximum":9007199254740992}`: {"-4", "-3", "0", "-0", "9007199254740992", "9007199254740993", "9999999999999999999", "3.0"},
	`{"type":"string","minLength":2,"maxLength":4}`: {
		`"a"`, `"ab"`, `"abcd"`, `"abcde"`, `"éé"`, `"éééé"`, `"ééééé"`, `"\n"`, `"\n\n"`, `"\ud83d\ude00"`, "\"\xff\xff\xff\xff\"", "\"\xff\xff\xff\xff\xff\"",
	},
	`{"type":"string","maxLength":12}`:                                                      {`"\ud83d\ude00"`, `"\ud83d\ude00a"`, `"\ud83d\ud83d"`, `""`},
	`{"type":"array","items":{"type":"boolean"},"minItems":1,"maxItems":2}`:                 {`[]`, `[true]`, `[true,false]`, `[true,false,true]`, `[tru]`, `[null]`},
	`{"type":"string","enum":["a","é","\\","","�"]}`:                                        {`"a"`, `"é"`, `"\\"`, `""`, `"A"`, `"\u0061"`, "\"\xff\"", `"�"`},
	`{"type":"object","additionalProperties":false}`:                                        {`{}`, `{ }`, `{"a":1}`, `[]`},
	`{"type":"array","items":{"$ref":"types.json#/definitions/B"}}`:                         {`[]`, `["b"]`, `["c"]`, `[[]]`},
	`{"type":"object","additionalProperties":false,"properties":{"a<":{"type":"boolean"}}}`: {`{"a<":true}`, `{"a\u003c":true}`, `{"a<":true,"a\u003c":true}`, `{"a<":1}`},
}

// strange maps schemas with a keyword that matchers do not support to values that fit
// only if the keyword is ignored.
var strange = map[string]string{
	`{"type":"string","pattern":"^b"}`:         `"a"`,
	`{"type":["string","null"],"maxLength":0}`: `"a"`,
	`{"type":"number","minimum":2}`:            `1`,
	`{"type":"integer","minimum":1.5}`:         `1`,
	`{"type":"integer","multipleOf":2}`:        `1`,
	`{"type":"integer","enum":[2]}`:            `1`,
	`{"type":"integer","enum":["2"]}`:          `2`,
	`{"type":"string","const":"b"}`:            `"a"`,
	`{"enum":["a"]}`:                           `1`,
	`{"type":"array","items":{"type":"integer"},"contains":{"type":"integer","minimum":2}}`: `[1]`,
	`{"type":"object","properties":{"a":{"type":"integer"}}}`:                               `{"a":"1"}`,
	`{"type":"object","additionalProperties":{"type":"string"}}`:                            `{"a":1}`,
	`{"type":"object","additionalProperties":false,"required":["a"]}`:                       `{}`,
	`{"type":"object","additionalProperties":false,"minProperties":1}`:                      `{}`,
	`{"type":"object","additionalProperties":false,"properties":{"a":{"not":{}}}}`:          `{"a":1}`,
	`{"allOf":[{"type":"string"}],"type":"integer"}`:                                        `1`,
}

func formatOf(t *testing.T, text string) *Schema {
	t.Helper()
	set, err := Load(fstest.MapFS{
		"file.x.json": {Data: []byte(text)},
		"types.json": {Data: []byte(`{"definitions":{"B":{"type":"string","enum":["b"]},
			"Within":{"type":"array","items":{"$ref":"#/definitions/Within"}},"Loop":{"$ref":"#/definitions/Loop"}}}`)},
	})
	if err != nil {
		t.Fatal(err)
	}
	s, _ := set.File("x")
	return s
}

func TestFitsAtTheBounds(t *testing.T) {
	t.Parallel()
	for text, values := range bounded {
		s := formatOf(t, text)
		certain := 0
		for _, value := range values {
			if checkFits(t, text, s, []byte(value)) {
				certain++
			}
		}
		if certain == 0 {
			t.Errorf("%s: no value is certain", text)
		}
	}
	for text, value := range strange {
		if s := formatOf(t, text); checkFits(t, text, s, []byte(value)) {
			t.Errorf("%s: %s is certain", text, value)
		}
	}
}

// TestNoMatcherWithoutEnd checks that recursive and very deep schemas have no matcher,
// so that Fits accepts no deep values.
func TestNoMatcherWithoutEnd(t *testing.T) {
	t.Parallel()
	within := formatOf(t, `{"$ref":"types.json#/definitions/Within"}`)
	loop := formatOf(t, `{"$ref":"types.json#/definitions/Loop"}`)
	nested := func(levels int) *Schema {
		return formatOf(t, strings.Repeat(`{"type":"array","items":`, levels)+`{"type":"boolean"}`+strings.Repeat("}", levels))
	}
	for i, s := range []*Schema{within, loop, nested(maxFitting)} {
		if s.matcher() != nil {
			t.Errorf("the %dth has a matcher", i)
		}
	}
	deep := strings.Repeat("[", maxFitting-1) + "true" + strings.Repeat("]", maxFitting-1)
	if !checkFits(t, "deep", nested(maxFitting-1), []byte(deep)) {
		t.Error("the deepest that fits is uncertain")
	}
}

// BenchmarkFirstParams measures validating the params of a process's first call,
// including reading the documents and building a matcher.
func BenchmarkFirstParams(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		m, _ := For("", "v1").Method("instructions/search")
		if found, err := m.Params.Validate([]byte(`{"q":"wrap"}`)); err != nil || found != nil {
			b.Fatal(found, err)
		}
	}
}
