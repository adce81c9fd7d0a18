package report_test

import (
	"slices"
	"testing"

	"instruction-catalog/governance/report"
)

// TestBaselineKnows checks that a baseline knows exactly the findings of the earlier run.
func TestBaselineKnows(t *testing.T) {
	t.Parallel()
	earlier := run()
	baseline, err := report.ParseBaseline(write(t, earlier, report.JSON))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range earlier.Findings {
		f.Line += 100
		if known := baseline.Knows(f, f.Path); known == f.Binding {
			t.Errorf("%s: known: %t", f.Rule, known)
		}
	}
	if baseline.Knows(earlier.Findings[0], "") {
		t.Error("there was one, and the second is known, too")
	}
}

// TestBaselineOfStrangeNames checks that a finding is known even if JSON cannot represent
// its texts exactly.
func TestBaselineOfStrangeNames(t *testing.T) {
	t.Parallel()
	f := report.Finding{Rule: "r", Severity: report.Error, Place: report.Place{Path: "a\xff\xfe\x00b"}, Message: "m\xc3", Match: "\xff"}
	baseline, err := report.ParseBaseline(write(t, report.Report{Findings: []report.Finding{f}}, report.JSON))
	if err != nil || !baseline.Knows(f, f.Path) {
		t.Errorf("not known again: %v", err)
	}
}

// badBaselines are files that must be rejected.
var badBaselines = map[string]string{
	"empty": "", "null": "null", "no object": "[]", "no list": "{}", "null list": `{"findings":null}`, "cut": `{"findings":[`,
	"two values": `{"findings":[]}{}`, "other members": `{"findings":[],"x":1}`, "twice": `{"findings":[],"findings":[]}`,
	"of strings": `{"findings":["x"]}`, "no rule": `{"findings":[{"path":"p","message":"m"}]}`,
	"no path": `{"findings":[{"rule":"r","message":"m"}]}`, "no message": `{"findings":[{"rule":"r","path":"p"}]}`,
	"unknown":      `{"findings":[{"rule":"r","path":"p","message":"m","colour":"x"}]}`,
	"another case": `{"Findings":[]}`, "wrong type": `{"findings":[{"rule":1,"path":"p","message":"m"}]}`,
}

func TestBadBaselines(t *testing.T) {
	t.Parallel()
	for name, text := range badBaselines {
		if _, err := report.ParseBaseline([]byte(text)); err == nil {
			t.Errorf("%s: it is taken", name)
		}
	}
}

// FuzzParseBaseline checks that an accepted baseline does not know a finding that it does
// not contain.
func FuzzParseBaseline(f *testing.F) {
	for _, text := range badBaselines {
		f.Add([]byte(text))
	}
	f.Add(write(f, run(), report.JSON))
	f.Fuzz(func(t *testing.T, text []byte) {
		baseline, err := report.ParseBaseline(text)
		if err != nil {
			return
		}
		if unheard := (report.Finding{Rule: "unheard of", Match: string(slices.Concat(text, []byte("x")))}); baseline.Knows(unheard, "") {
			t.Error("a finding is known that was never reported")
		}
	})
}

// TestFormerRules checks that a diagnostic of a file is known by the id for its severity,
// which it had before it got an id of its own.
func TestFormerRules(t *testing.T) {
	t.Parallel()
	baseline, err := report.ParseBaseline([]byte(`{"findings":[{"rule":"file-warning","path":"a.md","message":"m"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	f := report.Finding{Rule: "field/coerced", Place: report.Place{Path: "a.md"}, Message: "m"}
	if baseline.Knows(f, "") {
		t.Error("a finding is known that is not about a file")
	}
	if f.OfFile = true; !baseline.Knows(f, "") {
		t.Error("a diagnostic of a file is not known by its former rule")
	}
}
