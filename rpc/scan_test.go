package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"instruction-catalog/schemas"
)

var memberSeeds = []string{
	`{}`, `{ }`, `{"id":1}`, ` {"id":1}`, `{"jsonrpc":"2.0","id":-1.5e+3,"method":"a/b","params":{"x":"}\"{[,:"}}`,
	"{ \"id\" : \"a\\\\\" ,\n\t\"params\" : [ 1 , { \"id\" : 2 } ] , \"method\":\"m\" }", `{"\u0069d":7,"Id":8,"ID":9}`,
	`{"id":1,"id":null}`, `{"result":null,"error":{}}`, `{"params":"\\\""}`, `[]`, `null`, `"id"`, `{"":{"":[]},"id":true}`,
}

var scanSeeds = []string{
	``, ` `, `1`, `-`, `-0`, `01`, `0.`, `1.5e`, `1.5e+`, `1E-09 `, `.5`, `+1`, `tru`, `true`, `nulll`, `"`, `"\`, `"\u12`,
	`"\u12G4"`, `"\uD800"`, `"\x"`, `"1234567\"`, `"12345678"`, `"123456789é"`, "\"12345678\x1f\"", "\"a\x00\"", "\"\xff\xfe4567890\"",
	`[`, `[]`, `[,]`, `[1,]`, `[1 2]`, `[[],[{}]]`, `{,}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1 "b":2}`, `{1:2}`, `{} {}`, "\f1",
	"\uFEFF{}", `"a longer text, of which every byte is itself"`, `{"a":[{"b":"\"\\\/\b\f\n\r\t\u00e9"}]}`,
}

// FuzzScan: a scan has the verdict of encoding/json, the measures that Measure
// takes, and the members as encoding/json understands them.
func FuzzScan(f *testing.F) {
	for _, seed := range append(memberSeeds, scanSeeds...) {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got, ok := Scan(text)
		if ok != json.Valid(text) {
			t.Fatalf("%q is valid: %v", text, ok)
		}
		if !ok {
			return
		}
		if depth, values := Measure(text); got.Depth != depth || got.Values != values {
			t.Errorf("%q: depth %d, %d values, want %d and %d", text, got.Depth, got.Values, depth, values)
		}
		if ascii := !strings.ContainsFunc(string(text), func(r rune) bool { return r >= utf8.RuneSelf }); got.UTF8 != ascii {
			t.Errorf("%q is UTF-8: %v", text, got.UTF8)
		}
		checkMembers(t, text, got)
	})
}

func checkMembers(t *testing.T, text []byte, got Scanned) {
	t.Helper()
	var want map[string]json.RawMessage
	if json.Unmarshal(text, &want) != nil {
		want = nil
	}
	if got.object != (want != nil) {
		t.Fatalf("%q is an object: %v", text, got.object)
	}
	for name, member := range map[string]json.RawMessage{
		"jsonrpc": got.members.version, "id": got.members.id, "method": got.members.method,
		"params": got.members.params, "result": got.members.result, "error": got.members.failure,
	} {
		if string(member) != string(want[name]) || (member == nil) != (want[name] == nil) {
			t.Errorf("%q: %s is %q, want %q", text, name, member, want[name])
		}
	}
}

// registryOfOne has a method m/m.
func registryOfOne(tb testing.TB) *Registry {
	tb.Helper()
	contract, err := schemas.Load(fstest.MapFS{"m.m.json": {Data: []byte(`{
		"title": "m/m", "type": "object", "required": ["params", "result"], "properties": {
			"params": {"type": "object", "additionalProperties": false, "properties": {
				"name": {"type": "string"},
				"list": {"type": "array", "maxItems": 9, "items": {"type": "object", "additionalProperties": false, "properties": {"n": {"type": "integer"}}}}}},
			"result": {"type": "object"}}}`)}})
	if err != nil {
		tb.Fatal(err)
	}
	type params struct {
		Name string `json:"name"`
		List []struct {
			N Integer `json:"n"`
		} `json:"list"`
	}
	m := Declare(Method{Name: "m/m", Title: "t", Summary: "s", Doc: "d", Since: "1", Stability: Stable, Effect: Reads},
		func(_ context.Context, p params) (struct{}, error) { return struct{}{}, nil }, nil)
	r := NewRegistry(Info{}, slog.New(slog.DiscardHandler), time.Now)
	if err := r.Add(Toolset{Name: "test", Contract: Contract{"1.0", contract}, Methods: []Method{m}}); err != nil {
		tb.Fatal(err)
	}
	return r
}

var checkedSeeds = []string{
	`{"jsonrpc":"2.0","id":1,"method":"m/m","params":{"name":"x","list":[{"n":1},{}, {"n":-2} ]}}`, `{"method" : "m/m" , "params" : {} }`,
	"{\"method\":\"m/m\",\"params\":{\"name\":\"caf\u00e9\"}}", "{\"method\":\"m/m\",\"params\":{\"name\":\"\xff\"}}", "{\"x\":\"\u00e9\",\"method\":\"m/m\",\"params\":{}}",
	`{"method":"m/m","params":{"name":"\ud800\n"}}`, `{"method":"m/m","params":{}`, `{"method":"m/m","params":{}}}`, `{"method":"m/m","params":{}x}`,
	`{"method":"m/m","params"`, `{"method":"m/m","params":`, `{"method":7,"params":{}}`, `{"method":"","params":{}}`, `{"method":"m\/m","params":{}}`,
}

// maybeChecked are messages with params that fit m/m, and whether that is seen.
var maybeChecked = map[string]bool{
	`{"jsonrpc":"2.0","id":1,"method":"m/m","params":{"name":"x"}}`:                true,
	`{"jsonrpc":"2.0","method":"m/m","params":{},"id":1}`:                          true,
	`{"jsonrpc":"2.0","params":{},"method":"m/m"}`:                                 false,
	`{"jsonrpc":"2.0","method":"m/m","params":{},"method":"m/n"}`:                  false,
	`{"jsonrpc":"2.0","method":"m/m","params":{},"params":{"more":1}}`:             false,
	`{"jsonrpc":"2.0","method":"m/m","params":{},"p\u0061rams":{"more":1}}`:        false,
	`{"jsonrpc":"2.0","method":"m/m","params":{},"params":{}}`:                     false,
	`{"jsonrpc":"2.0","method":"m/m","params":{"more":1},"params":{}}`:             false,
	`{"jsonrpc":"2.0","method":"m/n","params":{}}`:                                 false,
	`{"jsonrpc":"2.0","method":"m/m"}`:                                             false,
	`{"jsonrpc":"2.0","method":"m/m","params":null}`:                               false,
	`{"jsonrpc":"2.0","method":"m/m","params":{"name":"x","_meta":{}}}`:            false,
	`{"jsonrpc":"2.0","method":"m/m","more":{"params":{}},"params":{"list":[[]]}}`: false,
}

func TestChecked(t *testing.T) {
	t.Parallel()
	r := registryOfOne(t)
	for text, want := range maybeChecked {
		found, ok := r.Scan([]byte(text))
		m, _, failure := found.Message()
		if !ok || failure != nil || (m.Checked.Method != nil) != want {
			t.Errorf("%s: checked %v, want %v (%v, %v)", text, m.Checked.Method != nil, want, ok, failure)
		}
	}
}

// FuzzRegistryScan: to check params on the way changes nothing of what a scan
// finds, but for the measures, which may be larger; and what is checked fits.
func FuzzRegistryScan(f *testing.F) {
	for _, seed := range slices.Concat(memberSeeds, scanSeeds, checkedSeeds, slices.Collect(maps.Keys(maybeChecked))) {
		f.Add([]byte(seed))
	}
	r := registryOfOne(f)
	f.Fuzz(func(t *testing.T, text []byte) {
		want, valid := Scan(text)
		got, ok := r.Scan(text)
		if ok != valid {
			t.Fatalf("%q is valid: %v", text, ok)
		}
		if !ok {
			return
		}
		if got.UTF8 && !utf8.Valid(text) || got.Depth < want.Depth || got.Values < want.Values {
			t.Errorf("%q: UTF-8 %v, depth %d, %d values", text, got.UTF8, got.Depth, got.Values)
		}
		checkMembers(t, text, got)
		if m, method := got.members, got.members.checked.Method; method != nil {
			found, err := method.Schema().Params.Validate(m.params)
			if err != nil || found != nil || unquoted(m.method) != method.Name {
				t.Errorf("%q: said to fit %s: %v, %v", text, method.Name, found, err)
			}
		}
	})
}

// TestScanNesting: as deep as encoding/json reads, and no deeper.
func TestScanNesting(t *testing.T) {
	t.Parallel()
	for _, depth := range []int{1, 9_999, 10_000, 10_001, 1_000_000} {
		for _, pair := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
			text := strings.Repeat(pair[0], depth) + "1" + strings.Repeat(pair[1], depth)
			if _, ok := Scan([]byte(text)); ok != json.Valid([]byte(text)) {
				t.Errorf("%d times %s is valid: %v", depth, pair[0], ok)
			}
		}
	}
}

// BenchmarkScan scans what a client that remembers 5,000 entries sends, beside
// json.Valid.
func BenchmarkScan(b *testing.B) {
	var line strings.Builder
	line.WriteString(`{"jsonrpc":"2.0","id":1,"method":"instructions/diff","params":{"known":[`)
	for i := range 5000 {
		fmt.Fprintf(&line, `{"id":"frontend-reduce-animations-%05d","sourceHash":"%064x"},`, i, i*7919)
	}
	text := []byte(strings.TrimSuffix(line.String(), ",") + "]}}")
	for name, valid := range map[string]func([]byte) bool{
		"own":           func(text []byte) bool { _, ok := Scan(text); return ok },
		"encoding-json": json.Valid,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if !valid(text) {
					b.Fatal("not valid")
				}
			}
		})
	}
}
