package report_test

import (
	"testing"

	"instruction-catalog/governance/report"
)

// TestFingerprint checks that a fingerprint stays the same when lines are added above the
// finding, and differs between findings.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	known := report.Finding{Rule: "r", Place: report.Place{Path: "p", Line: 3}, Message: "m", Match: "x"}
	moved, worded := known, known
	moved.Line, worded.Message = 9, "in other words"
	for name, same := range map[string]report.Finding{"line": moved, "message": worded} {
		if same.Fingerprint() != known.Fingerprint() {
			t.Errorf("another %s makes another finding", name)
		}
	}
	rule, path, match := known, known, known
	rule.Rule, path.Path, match.Match = "s", "q", "y"
	shifted := report.Finding{Rule: "r", Place: report.Place{Path: "px"}}
	for name, other := range map[string]report.Finding{"rule": rule, "path": path, "match": match, "border": shifted} {
		if other.Fingerprint() == known.Fingerprint() {
			t.Errorf("another %s makes no other finding", name)
		}
	}
	plain, reworded := report.Finding{Rule: "r", Message: "m"}, report.Finding{Rule: "r", Message: "n"}
	if plain.Fingerprint() == reworded.Fingerprint() {
		t.Error("without a match, the message tells findings apart")
	}
}
