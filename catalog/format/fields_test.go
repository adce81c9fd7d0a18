package format

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the files that other tests read")

// fieldCase is a case of a field: its source, the value in the entry as JSON, and the
// diagnostics.
type fieldCase struct{ name, source, want, said string }

func TestJSONFields(t *testing.T) {
	t.Parallel()
	for _, tt := range jsonFieldCases() {
		t.Run(tt.name+"="+tt.source, func(t *testing.T) {
			r := interpretText("x.json", jsonWith(tt.name, tt.source))
			if got := served(t, r, tt.name); got != tt.want {
				t.Errorf("served %s, want %s", got, tt.want)
			}
			if got := saidAbout(r); got != tt.said {
				t.Errorf("said %s\nwant %s", got, tt.said)
			}
		})
	}
}

func TestMarkdownFields(t *testing.T) {
	t.Parallel()
	for _, tt := range markdownFieldCases() {
		t.Run(tt.source, func(t *testing.T) {
			r := interpretText("x.md", markdownWith(tt.source))
			if got := served(t, r, tt.name); got != tt.want {
				t.Errorf("served %s, want %s", got, tt.want)
			}
			if got := saidAbout(r); got != tt.said {
				t.Errorf("said %s\nwant %s", got, tt.said)
			}
		})
	}
}

// A file system can have a modification time that the contract cannot represent.
func TestModificationTime(t *testing.T) {
	t.Parallel()
	year := func(year int) time.Time { return time.Date(year, 1, 1, 0, 30, 0, 123456789, time.FixedZone("", 60*60)) }
	const refused = `missing, and the modification time of the file is not within the years 0000 to 9999: write when it was, such as 2025-01-31T09:30:00Z`
	for _, tt := range []struct {
		modified   time.Time
		want, said string
	}{
		{year(2025), `"2024-12-31T23:30:00.123Z"`, ""},
		{year(10000), `"9999-12-31T23:30:00.123Z"`, ""},
		{year(10001), "", "error: createdAt: " + refused + "\nerror: updatedAt: " + refused},
		{year(0), "", "error: createdAt: " + refused + "\nerror: updatedAt: " + refused},
	} {
		r := Decode(File{Path: "x.md", Modified: tt.modified, Data: []byte("Body")})
		if got := served(t, r, "updatedAt"); got != tt.want || saidAbout(r) != tt.said {
			t.Errorf("%v: served %s, want %s; said %s", tt.modified, got, tt.want, saidAbout(r))
		}
	}
}

func jsonFieldCases() []fieldCase {
	const (
		e = "error: "
		w = "warning: "
	)
	long := strings.Repeat("a", 121)
	return []fieldCase{
		{"id", `"x_1-y"`, `"x_1-y"`, ""},
		{"id", `"My.Entry.V2"`, `"my-entry-v2"`, w + `id: "My.Entry.V2" is read as "my-entry-v2"`},
		{"id", ``, "", e + `id: missing; add "id": "x"`},
		{"id", `null`, "", e + `id: null is not a string; write ` + idForm},
		{"id", `7`, "", e + `id: 7 is not a string; write ` + idForm},
		{"id", `["a"]`, "", e + `id: a list is not a string; write ` + idForm},
		{"id", `" "`, "", e + `id: empty; write ` + idForm},
		{"id", `"a b"`, "", e + `id: "a b" is not a valid id: write ` + idForm},
		{"id", `".a"`, "", e + `id: ".a" is not a valid id: write ` + idForm},
		{"id", `"-a"`, "", e + `id: "-a" is not a valid id: write ` + idForm},
		{"id", `"a\nb"`, "", e + `id: "a\nb" is not a valid id: write ` + idForm},
		{"id", `"` + long[:120] + `"`, `"` + long[:120] + `"`, ""},
		{"id", `"` + long + `"`, "", e + `id: "` + long[:40] + `…" is not a valid id: write ` + idForm},

		{"title", ``, "", e + `title: missing; say in a few words what the instruction is about`},
		{"title", `""`, "", e + `title: empty; say in a few words what the instruction is about`},
		{"title", `true`, "", e + `title: true is not a string; say in a few words what the instruction is about`},
		{"title", `{}`, "", e + `title: an object is not a string; say in a few words what the instruction is about`},
		{"title", `"` + strings.Repeat("ß", 200) + `"`, `"` + strings.Repeat("ß", 200) + `"`, ""},
		{"title", `"` + strings.Repeat("ß", 201) + `"`, "", e + `title: "` + strings.Repeat("ß", 40) + `…" has 201 characters, 200 are allowed: shorten it`},
		{"title", `"\ud83d\ude00 \ud83d x"`, `"😀 � x"`, w + `title: half a surrogate pair (\uD800 to \uDFFF) is not a character: it is read as U+FFFD`},

		{"body", ``, "", e + `body: missing; write the instruction`},
		{"body", `null`, "", e + `body: null is not a string; write the instruction`},
		{"body", `""`, "", e + `body: empty; write the instruction`},
		{"body", `" \n"`, "", e + `body: empty; write the instruction`},
		{"body", `"  a\r\n\t"`, `"  a\r\n\t"`, ""},
		{"body", `"` + strings.Repeat("b", 1_000_001) + `"`, "", e + `body: it has 1000001 characters, 1000000 are allowed: split the instruction up`},

		{"priority", `1`, `1`, ""},
		{"priority", `100`, `100`, ""},
		{"priority", `3e1`, `30`, ""},
		{"priority", `30.0`, `30`, ""},
		{"priority", `0`, `50`, w + `priority: 0 is not an integer from 1 to 100: it is read as 50`},
		{"priority", `101`, `50`, w + `priority: 101 is not an integer from 1 to 100: it is read as 50`},
		{"priority", `-3`, `50`, w + `priority: -3 is not an integer from 1 to 100: it is read as 50`},
		{"priority", `2.5`, `50`, w + `priority: 2.5 is not an integer from 1 to 100: it is read as 50`},
		{"priority", `1e999`, `50`, w + `priority: 1e999 is not an integer from 1 to 100: it is read as 50`},
		{"priority", `"30"`, `30`, w + `priority: "30" is read as 30`},
		{"priority", `"150"`, `50`, w + `priority: "150" is not an integer from 1 to 100: it is read as 50`},
		{"priority", `"very"`, "", e + `priority: "very" is not a number: write an integer from 1 (highest) to 100`},
		{"priority", `" P1"`, "10", w + `priority: " P1" is read as 10`},
		{"priority", `true`, "", e + `priority: true is not a number: write an integer from 1 (highest) to 100`},
		{"priority", `[1]`, "", e + `priority: a list is not a number: write an integer from 1 (highest) to 100`},
		{"priority", ``, `50`, w + `priority: missing, 50 is used`},
		{"priority", `null`, `50`, w + `priority: null is treated as absent, 50 is used`},
		{"priority", `""`, `50`, w + `priority: "" is treated as absent, 50 is used`},

		{"audience", `"individual"`, `"individual"`, ""},
		{"audience", `"ALL"`, `"all"`, w + `audience: "ALL" is read as "all"`},
		{"audience", `"system"`, `"all"`, w + `audience: "system" is read as "all"`},
		{"audience", `"Everyone"`, `"all"`, w + `audience: "Everyone" is read as "all"`},
		{"audience", `"teams"`, `"group"`, w + `audience: "teams" is read as "group"`},
		{"audience", `"platform team"`, `"group"`, w + `audience: "platform team" is read as "group"`},
		{"audience", `"ai-agents"`, `"group"`, w + `audience: "ai-agents" is read as "group"`},
		{"audience", `"Developers, testers"`, `"group"`, w + `audience: "Developers, testers" is read as "group"`},
		{"audience", `"developer"`, `"individual"`, w + `audience: "developer" is read as "individual"`},
		{"audience", `"Author"`, `"individual"`, w + `audience: "Author" is read as "individual"`},
		{"audience", `"author and reviewers"`, `"group"`, w + `audience: "author and reviewers" is read as "group"`},
		{"audience", `"steam"`, `"all"`, w + `audience: "steam" is read as "all"`},
		{"audience", `["all"]`, "", e + `audience: a list is not a string: write a string`},
		{"audience", ``, `"all"`, w + `audience: missing, "all" is used`},
		{"audience", `null`, `"all"`, w + `audience: null is treated as absent, "all" is used`},

		{"requirement", `"critical"`, `"critical"`, ""},
		{"requirement", `"Critical"`, `"critical"`, w + `requirement: "Critical" is read as "critical"`},
		{"requirement", `"MUST"`, `"mandatory"`, w + `requirement: "MUST" is read as "mandatory"`},
		{"requirement", `"required"`, `"mandatory"`, w + `requirement: "required" is read as "mandatory"`},
		{"requirement", `"essential"`, `"mandatory"`, w + `requirement: "essential" is read as "mandatory"`},
		{"requirement", `"SHOULD"`, `"recommended"`, w + `requirement: "SHOULD" is read as "recommended"`},
		{"requirement", `"may"`, `"optional"`, w + `requirement: "may" is read as "optional"`},
		{"requirement", `"List the core variables."`, `"recommended"`, w + `requirement: "List the core variables." is read as "recommended"`},
		{"requirement", `"whatever"`, `"recommended"`, w + `requirement: "whatever" is read as "recommended"`},
		{"requirement", `{}`, "", e + `requirement: an object is not a string: write a string`},
		{"requirement", ``, `"recommended"`, w + `requirement: missing, "recommended" is used`},
		{"requirement", `"deprecated"`, "", e + `requirement: deprecated needs deprecatedBy: add it, with the id of the entry to use instead`},

		{"categories", `["a","b"]`, `["a","b"]`, ""},
		{"categories", `["b","a"]`, `["a","b"]`, ""},
		{"categories", `[]`, `[]`, ""},
		{"categories", `["B "," a","","a"]`, `["a","b"]`, w + `categories: ["B ", " a", "", "a"] are read as ["a", "b"]`},
		{"categories", `["a",null]`, `["a"]`, w + `categories: ["a", ""] are read as ["a"]`},
		{"categories", `["a",1.50]`, `["1.50","a"]`, w + `categories: 1.50 is read as the text "1.50"`},
		{"categories", `["a",[]]`, "", e + `categories: a list is not a string: write a string`},
		{"categories", `"Go, testing"`, `["go","testing"]`, w + `categories: "Go, testing" is read as the list ["Go", "testing"]` + "\n" + w + `categories: ["Go", "testing"] are read as ["go", "testing"]`},
		{"categories", `{}`, "", e + `categories: an object is not a string: write a string`},
		{"categories", ``, `[]`, w + `categories: missing, [] is used`},
		{"categories", `null`, `[]`, w + `categories: null is treated as absent, [] is used`},
		{"categories", numbered(25), numbered(25), ""},
		{"categories", numbered(26), "", e + `categories: there are 26, and 25 are allowed: keep those that people search for`},

		{"schemaVersion", `"7"`, `"7"`, ""},
		{"schemaVersion", `3`, `"3"`, w + `schemaVersion: 3 is read as the text "3"`},
		{"schemaVersion", ``, `"1"`, w + `schemaVersion: missing, "1" is used`},
		{"schemaVersion", `"8"`, "", e + `schemaVersion: "8" is unknown: "1" to "7" can be read`},
		{"schemaVersion", `"0.1"`, "", e + `schemaVersion: "0.1" is unknown: "1" to "7" can be read`},
		{"schemaVersion", `[]`, "", e + `schemaVersion: a list is not a string: write a string`},

		{"createdAt", ``, modifiedStamp, ""},
		{"createdAt", `""`, modifiedStamp, ""},
		{"updatedAt", `null`, modifiedStamp, w + `updatedAt: null is treated as absent`},
		{"createdAt", `"2025-01-31T09:30:00Z"`, `"2025-01-31T09:30:00Z"`, ""},
		{"createdAt", `"2025-01-31T09:30:00.123456Z"`, `"2025-01-31T09:30:00.123456Z"`, ""},
		{"createdAt", `"2025-01-31T09:30:00.123456789Z"`, `"2025-01-31T09:30:00.123456789Z"`, ""},
		{"createdAt", `"2025-01-31T09:30:00.1234567899Z"`, `"2025-01-31T09:30:00.123456789Z"`, w + `createdAt: "2025-01-31T09:30:00.1234567899Z" is read as 2025-01-31T09:30:00.123456789Z`},
		{"createdAt", `"2025-01-31T09:30:00.1200000000Z"`, `"2025-01-31T09:30:00.120Z"`, w + `createdAt: "2025-01-31T09:30:00.1200000000Z" is read as 2025-01-31T09:30:00.120Z`},
		{"createdAt", `"2025-01-31T09:30:00.123456+02:00"`, `"2025-01-31T07:30:00.123456Z"`, w + `createdAt: "2025-01-31T09:30:00.123456+02:00" is read as 2025-01-31T07:30:00.123456Z`},
		{"createdAt", `"2025-01-31T09:30:00+00:00"`, `"2025-01-31T09:30:00.000Z"`, w + `createdAt: "2025-01-31T09:30:00+00:00" is read as 2025-01-31T09:30:00.000Z`},
		{"createdAt", `"2025-01-31T09:30:00-00:00"`, `"2025-01-31T09:30:00.000Z"`, w + `createdAt: "2025-01-31T09:30:00-00:00" is read as 2025-01-31T09:30:00.000Z`},
		{"createdAt", `"9999-12-31T23:59:59Z"`, `"9999-12-31T23:59:59Z"`, ""},
		{"createdAt", `"9999-12-31T23:59:59-01:00"`, "", e + `createdAt: "9999-12-31T23:59:59-01:00" is outside of the years 0000 to 9999 in UTC: write a time within them`},
		{"createdAt", `"0000-01-01T00:30:00Z"`, `"0000-01-01T00:30:00Z"`, ""},
		{"createdAt", `"0000-01-01T00:30:00+01:00"`, "", e + `createdAt: "0000-01-01T00:30:00+01:00" is outside of the years 0000 to 9999 in UTC: write a time within them`},
		{"createdAt", `"2025-01-31"`, `"2025-01-31T00:00:00.000Z"`, w + `createdAt: "2025-01-31" is read as 2025-01-31T00:00:00.000Z`},
		{"createdAt", `"2025-01-31T09:30:00+02:00"`, `"2025-01-31T07:30:00.000Z"`, w + `createdAt: "2025-01-31T09:30:00+02:00" is read as 2025-01-31T07:30:00.000Z`},
		{"createdAt", `"2025-01-31T09:30:00+0200"`, `"2025-01-31T07:30:00.000Z"`, w + `createdAt: "2025-01-31T09:30:00+0200" is read as 2025-01-31T07:30:00.000Z`},
		{"createdAt", `"2025-01-31T09:30:00.5"`, `"2025-01-31T09:30:00.500Z"`, w + `createdAt: "2025-01-31T09:30:00.5" is read as 2025-01-31T09:30:00.500Z`},
		{"createdAt", `"2025-01-31T09:30"`, `"2025-01-31T09:30:00.000Z"`, w + `createdAt: "2025-01-31T09:30" is read as 2025-01-31T09:30:00.000Z`},
		{"createdAt", `"2025-01-31T9:30:00Z"`, `"2025-01-31T09:30:00.000Z"`, w + `createdAt: "2025-01-31T9:30:00Z" is read as 2025-01-31T09:30:00.000Z`},
		{"createdAt", `"2025-01-31T09:30:00,5Z"`, `"2025-01-31T09:30:00.500Z"`, w + `createdAt: "2025-01-31T09:30:00,5Z" is read as 2025-01-31T09:30:00.500Z`},
		{"createdAt", `"2025-01-31t09:30:00z"`, `"2025-01-31T09:30:00.000Z"`, w + `createdAt: "2025-01-31t09:30:00z" is read as 2025-01-31T09:30:00.000Z`},
		{"createdAt", `"yesterday"`, "", e + `createdAt: "yesterday" is not a time: write ISO 8601 in UTC, such as 2025-01-31T09:30:00Z`},
		{"createdAt", `"2025-02-30"`, "", e + `createdAt: "2025-02-30" is not a time: write ISO 8601 in UTC, such as 2025-01-31T09:30:00Z`},
		{"lastReviewedAt", `"2025-01-31"`, `"2025-01-31T00:00:00.000Z"`, w + `lastReviewedAt: "2025-01-31" is read as 2025-01-31T00:00:00.000Z`},
		{"nextReviewDue", `" "`, "", ""},
		{"lastUsedAt", `"2025-01-31T09:30:00Z"`, `"2025-01-31T09:30:00Z"`, ""},
		{"lastUsedAt", `"soon"`, "", e + `lastUsedAt: "soon" is not a time: write ISO 8601 in UTC, such as 2025-01-31T09:30:00Z`},

		{"usageCount", `4`, `4`, ""},
		{"usageCount", `null`, "", w + `usageCount: null is treated as absent`},
		{"usageCount", `-1`, "", e + `usageCount: -1 is not a count: write an integer from 0`},
		{"usageCount", `1.5`, "", e + `usageCount: 1.5 is not a count: write an integer from 0`},
		{"usageCount", `"4"`, "", e + `usageCount: "4" is not a count: write an integer from 0`},
		{"riskScore", `null`, `95`, ""}, // derived
		{"riskScore", `"x"`, `95`, ""},
		{"reviewIntervalDays", `30`, `30`, ""},
		{"reviewIntervalDays", `"30"`, `30`, w + `reviewIntervalDays: "30" is read as 30`},
		{"reviewIntervalDays", `-1`, "", e + `reviewIntervalDays: -1 is not a number of days: write an integer from 0`},
		{"approvedHash", `"x"`, `"x"`, ""},
		{"approvedBy", `["x"]`, "", e + `approvedBy: a list is not a string: write a string`},
		{"approvedAt", `"2025-01-31"`, `"2025-01-31T00:00:00.000Z"`, w + `approvedAt: "2025-01-31" is read as 2025-01-31T00:00:00.000Z`},
		{"reviewIntervalDays", `"monthly"`, "", e + `reviewIntervalDays: "monthly" is not a number of days: write an integer from 0`},

		{"status", `"review"`, `"review"`, ""},
		{"status", `"active"`, `"approved"`, w + `status: "active" is read as "approved"`},
		{"status", `"Draft"`, `"draft"`, w + `status: "Draft" is read as "draft"`},
		{"status", `"done"`, "", e + `status: "done" is unknown: write draft, review, approved or deprecated`},
		{"status", `null`, "", w + `status: null is treated as absent`},
		{"priorityTier", `"P4"`, `"P4"`, ""},
		{"priorityTier", `"p2"`, `"P2"`, w + `priorityTier: "p2" is read as "P2"`},
		{"priorityTier", `"p0"`, `"P1"`, w + `priorityTier: "p0" is read as "P1"`},
		{"priorityTier", `"P5"`, "", e + `priorityTier: "P5" is unknown: write P1, P2, P3 or P4`},
		{"classification", `"restricted"`, `"restricted"`, ""},
		{"classification", `"PUBLIC"`, `"public"`, w + `classification: "PUBLIC" is read as "public"`},
		{"classification", `"secret"`, "", e + `classification: "secret" is unknown: write public, internal or restricted`},

		{"rationale", `" why "`, `" why "`, ""},
		{"rationale", `" "`, "", ""},
		{"owner", `null`, "", w + `owner: null is treated as absent`},
		{"version", `1.10`, `"1.10"`, w + `version: 1.10 is read as the text "1.10"`},
		{"userId", `false`, `"false"`, w + `userId: false is read as the text "false"`},
		{"contentType", `{"a":1}`, "", e + `contentType: an object is not a string: write a string`},
		{"teamIds", `["a","B"]`, `["a","B"]`, ""},
		{"teamIds", `["a"," "]`, `["a"]`, w + `teamIds: ["a", " "] are read as ["a"]`},
		{"teamIds", `[7]`, `["7"]`, w + `teamIds: 7 is read as the text "7"`},
		{"teamIds", `"a"`, "", e + `teamIds: "a" is not a list: write ["…"]`},
		{"changeLog", `[ {"version": "1", "n": 1.0} ]`, `[{"version":"1","n":1.0}]`, ""},
		{"changeLog", `{}`, "", e + `changeLog: an object is not a list: write [ … ]`},
		{"extensions", `{ "a": [1, {"b": null}] }`, `{"a":[1,{"b":null}]}`, ""},
		{"extensions", `{"a": [-1.7e308, 1e-400, "1e999", {"1e999": 0}]}`, `{"a":[-1.7e308,1e-400,"1e999",{"1e999":0}]}`, ""},
		{"extensions", `{"a": [1, {"b": 1e309}]}`, "", e + `extensions: the number 1e309 is too long or too large for most readers: put it in quotes`},
		{"extensions", `{"a": 1e-401}`, "", e + `extensions: the number 1e-401 is too long or too large for most readers: put it in quotes`},
		{"changeLog", `[` + strings.Repeat("1", 300) + `]`, `[` + strings.Repeat("1", 300) + `]`, ""},
		{"changeLog", `[0.` + strings.Repeat("1", 399) + `]`, "", e + `changeLog: the number 0.` + strings.Repeat("1", 38) + `… is too long or too large for most readers: put it in quotes`},
		{"weight", `-1e999`, "", e + `weight: the number -1e999 is too long or too large for most readers: put it in quotes` + "\n" + w + `unknown field "weight": kept in extensions`},
		{"extensions", `[]`, "", e + `extensions: a list is not an object: write { … }`},
	}
}

func numbered(n int) string {
	var items []string
	for i := range n {
		items = append(items, `"c`+string(rune('a'+i))+`"`)
	}
	return "[" + strings.Join(items, ",") + "]"
}

func markdownFieldCases() []fieldCase {
	const (
		e = "error: "
		w = "warning: "
	)
	return []fieldCase{
		{"id", `id: Explicit.ID`, `"explicit-id"`, w + `id: "Explicit.ID" is read as "explicit-id"`},
		{"id", `id: 007`, `"007"`, ""},
		{"id", `id: a b`, "", e + `id: "a b" is not a valid id: write ` + idForm},
		{"id", `id: [a]`, "", e + `id: a list is not a string; write ` + idForm},
		{"id", `id:`, `"x"`, ""},
		{"title", `title: 1.10`, `"1.10"`, ""},
		{"title", `title: No`, `"No"`, ""},
		{"title", `title:`, `"x"`, ""},
		{"title", `title: {}`, "", e + `title: an object is not a string; say in a few words what the instruction is about`},
		{"priority", `owner: me`, `50`, ""},
		{"priority", `priority:`, `50`, ""},
		{"priority", `priority: 7`, `7`, ""},
		{"priority", `priority: 1000`, `50`, w + `priority: 1000 is not an integer from 1 to 100: it is read as 50`},
		{"priority", `priority: "7"`, `7`, w + `priority: "7" is read as 7`},
		{"priority", `priority: very`, "", e + `priority: "very" is not a number: write an integer from 1 (highest) to 100`},
		{"priority", `priority: High`, "10", w + `priority: "High" is read as 10`},
		{"priority", `Priority: 7`, "7", w + `Priority: it is read as priority: rename it`},
		{"priority", "prioritiy: 7", "7", w + `prioritiy: it is read as priority: rename it`},
		{"priority", "priority: 7\nPriority: 8", "7", w + `unknown field "Priority": kept in extensions`},
		{"requirement", `requirment: mandatory`, `"mandatory"`, w + `requirment: it is read as requirement: rename it`},
		{"requirement", `Requiremnet: mandatory`, `"mandatory"`, w + `Requiremnet: it is read as requirement: rename it`},
		{"deprecatedBy", `deprecated: true`, "", w + `unknown field "deprecated": kept in extensions`},
		{"deprecatedBy", `deprecatedby: b`, `"b"`, w + `deprecatedby: it is read as deprecatedBy: rename it`},
		{"version", `versions: 2`, "", w + `unknown field "versions": kept in extensions`},
		{"owner", `order: 2`, "", w + `unknown field "order": kept in extensions`},
		{"title", "name: Named", `"Named"`, ""},
		{"title", "title: >\n  Folded\n  twice", `"Folded twice"`, ""},
		{"title", "title: Titled\nname: Named", `"Titled"`, w + `unknown field "name": kept in extensions`},
		{"semanticSummary", "description: In short", `"In short"`, ""},
		{"load", "globs: '*.go, a/{b,c}'", `"glob"`, ""},
		{"appliesTo", "globs: '*.go, a/{b,c}'", `["*.go","a/{b,c}"]`, ""},
		{"appliesTo", "applyTo: [a, b]", `["a","b"]`, ""},
		{"appliesTo", "appliesTo: '[a'", `["[a"]`, w + `appliesTo: "[a" matches nothing: close its brackets and braces, and let it expand to at most 1000 others`},
		{"load", "load: Manual", `"manual"`, w + `load: "Manual" is read as "manual"`},
		{"load", "load: often", "", e + `load: "often" is unknown: write always, glob, directory, agent, manual, skill, command or persona`},
		{"audience", `owner: me`, `"all"`, ""},
		{"audience", `audience: devs`, `"group"`, w + `audience: "devs" is read as "group"`},
		{"requirement", `requirement:`, `"recommended"`, ""},
		{"requirement", `requirement: MUST`, `"mandatory"`, w + `requirement: "MUST" is read as "mandatory"`},
		{"requirement", "requirement: deprecated\ndeprecatedBy: other", `"deprecated"`, ""},
		{"categories", `owner: me`, `[]`, ""},
		{"categories", `categories: testing, go`, `["go","testing"]`, ""},
		{"categories", `categories: [go, 1.10]`, `["1.10","go"]`, ""},
		{"categories", "categories:\n  - Go\n  - ", `["go"]`, w + `categories: ["Go", ""] are read as ["go"]`},
		{"categories", `categories: Go,,go`, `["go"]`, w + `categories: ["Go", "", "go"] are read as ["go"]`},
		{"schemaVersion", `schemaVersion: 3`, `"3"`, ""},
		{"schemaVersion", `owner: me`, `"1"`, ""},
		{"createdAt", `createdAt: 2025-01-31`, `"2025-01-31T00:00:00.000Z"`, ""},
		{"createdAt", `createdAt: 2025-01-31 09:30:00`, `"2025-01-31T09:30:00.000Z"`, w + `createdAt: "2025-01-31 09:30:00" is read as 2025-01-31T09:30:00.000Z`},
		{"updatedAt", `updatedAt:`, modifiedStamp, ""},
		{"version", `version: 1.10`, `"1.10"`, ""},
		{"version", `version: 0x1F`, `"0x1F"`, ""},
		{"owner", `owner: ~`, "", ""},
		{"owner", `owner: &a [x]`, "", e + `owner: a list is not a string: write a string`},
		{"rationale", "rationale: >\n  one\n  two", `"one two\n"`, ""},
		{"userId", "owner: &o me\nuserId: *o", `"me"`, ""},
		{"usageCount", `usageCount: 3`, `3`, ""},
		{"reviewIntervalDays", `reviewIntervalDays: 30`, `30`, ""},
		{"teamIds", `teamIds: [007, a]`, `["007","a"]`, ""},
		{"changeLog", "changeLog:\n  - version: 1.10\n    date: 2025-01-31\n    draft: True", `[{"version":1.10,"date":"2025-01-31","draft":true}]`, ""},
		{"extensions", `extensions: {a: .5, b: 0x1F, c: "1", d: ~, 1: [yes]}`, `{"a":".5","b":"0x1F","c":"1","d":null,"1":["yes"]}`, ""},
		{"extensions", `extensions: {b: &b [1], c: *b}`, `{"b":[1],"c":[1]}`, ""},
		{"extensions", `extensions: {a: 1, a: 2}`, "", e + `"a" appears twice in an object: keep one of the two`},
		{"extensions", `extensions: {<<: {a: 1}}`, "", e + errMerge.Error()},
		{"extensions", `extensions: {? [a] : 1}`, "", e + errKey.Error()},
		{"extensions", `extensions: {a: 1e999, b: .inf}`, `{"a":"1e999","b":".inf"}`, ""}, // these are not numbers in JSON
		{"extensions", `extensions: {a: 1e-999}`, "", e + `extensions: the number 1e-999 is too long or too large for most readers: put it in quotes`},
		{"extensions", `alwaysApply: true`, `{"alwaysApply":true}`, w + `unknown field "alwaysApply": kept in extensions`},
	}
}

// TestFieldFiles checks testdata/fields.txtar, or writes it with -update. The archive
// has a file for each case of a field, except very long ones and those of id in JSON,
// for the tests of other packages.
func TestFieldFiles(t *testing.T) {
	t.Parallel()
	const name = "testdata/fields.txtar"
	archive := &txtar.Archive{Comment: []byte("Each case of a field, written by TestFieldFiles with -update.\n")}
	add := func(name, content string) {
		if len(content) < 10_000 {
			archive.Files = append(archive.Files, txtar.File{Name: name, Data: []byte(content)})
		}
	}
	for i, tt := range jsonFieldCases() {
		if tt.name != "id" {
			add(fmt.Sprintf("j%d.json", i), strings.Replace(jsonWith(tt.name, tt.source), `"id": "x"`, fmt.Sprintf(`"id": "J.%d"`, i), 1))
		}
	}
	for i, tt := range markdownFieldCases() {
		add(fmt.Sprintf("m%d.md", i), markdownWith(tt.source))
	}
	want := txtar.Format(archive)
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not current (%v): run the tests with -update", name, err)
	}
}
