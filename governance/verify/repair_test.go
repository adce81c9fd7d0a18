package verify

import (
	"testing"

	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/format"
	"instruction-catalog/governance/report"
)

func TestRepair(t *testing.T) {
	t.Parallel()
	const renamed = "requirment: it is read as requirement: rename it"
	for _, test := range []struct {
		rule         report.Rule
		before, want string // "" if there is no single correct repair
	}{
		{agents.GlobQuoted, "---\nglobs: \"**/*.ts\"\nalwaysApply: false\n---\nglobs: \"x\"\n", "---\nglobs: **/*.ts\nalwaysApply: false\n---\nglobs: \"x\"\n"},
		{agents.GlobQuoted, "---\r\nglobs:   'a.ts,b.ts' \r\n---\r\n", "---\r\nglobs:   a.ts,b.ts \r\n---\r\n"},
		{agents.GlobQuoted, "---\nglobs: [\"a\", \"b\"]\n---\n", ""},
		{agents.GlobQuoted, "---\nglobs: \"a\" # why\n---\n", ""},
		{format.FieldMisspelt, "---\nrequirment : mandatory\n---\nrequirment: x\n", "---\nrequirement : mandatory\n---\nrequirment: x\n"},
		{format.FieldMisspelt, "{\n  \"requirment\": \"mandatory\"\n}\n", "{\n  \"requirement\": \"mandatory\"\n}\n"},
		{format.FieldMisspelt, "---\nrequirment: a\nrequirement: b\n---\n", ""},
		{agents.ApplyToList, "---\napplyTo: [\"**/*.go\", '**/*.mod'] # both\n---\nx\n", "---\napplyTo: \"**/*.go,**/*.mod\" # both\n---\nx\n"},
		{agents.ApplyToList, "\ufeff---\r\napplyTo:\r\n  - a.go\r\n  - b.go\r\ntitle: x\r\n---\r\nx", "\ufeff---\r\napplyTo: \"a.go,b.go\"\r\ntitle: x\r\n---\r\nx"},
		{agents.ApplyToList, "---\napplyTo: [\"**/*.{go,mod}\"]\n---\nx\n", ""},
		{agents.ApplyToList, "applyTo: [a]\n", ""},
		{"link/dead", "[x](gone.md)\n", ""},
	} {
		got, ok := Repair(report.Finding{Rule: test.rule, Place: report.Place{Line: 2}, Message: renamed}, []byte(test.before))
		if ok != (test.want != "") || ok && string(got) != test.want {
			t.Errorf("%q: got %q, want %q", test.before, got, test.want)
		}
		if edit := EditOf([]byte(test.before), got); ok && test.before[:edit.Start]+edit.Text+test.before[edit.End:] != test.want {
			t.Errorf("%q: the edit is %+v", test.before, edit)
		}
	}
}
