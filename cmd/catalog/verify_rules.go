package main

import (
	"instruction-catalog/governance/crosscheck"
	"instruction-catalog/governance/report"
)

// ruleAbouts say what the rules of verify look for, but for those of the criteria, which
// have descriptions of their own.
var ruleAbouts = map[report.Rule]string{
	"file-error":   "A file that cannot become an entry.",
	"file-warning": "A file that is served otherwise than it is written.",
	"file-note":    "Something about a file that is worth knowing.",
	ruleNoEntries:  "A catalog has no entry.",
	ruleDrift:      "A body is not what its hash was taken of.",

	ruleSumBroken: "catalog.sum, or what it is read with, cannot be read.",
	ruleUnsigned:  "A catalog is not signed with the key that it should be signed with.",
	"sum-changed": "An entry, gates.json or PROMPT-CRITERIA.json has changed since catalog.sum was written.",
	"sum-removed": "An entry, or gates.json, was removed since catalog.sum was written.",
	"sum-added":   "An entry, gates.json or PROMPT-CRITERIA.json was added since catalog.sum was written.",

	ruleGateFailed: "The catalog does not meet a gate of gates.json.",
	ruleGateBroken: "A gate, or gates.json, cannot be understood.",

	crosscheck.Duplicate:     "Two entries have the same body.",
	crosscheck.NearDuplicate: "Two entries have nearly the same body.",
	crosscheck.Contradiction: "One entry asks for what another one forbids.",
	crosscheck.DeadReference: "A reference leads to no entry.",
	crosscheck.NotParsed:     "A text is not parsed, so that its links are unknown.",
	crosscheck.Cycle:         "Entries succeed each other in a circle.",
}
