package verify

import (
	"cmp"
	"slices"

	"instruction-catalog/catalog/source"
	"instruction-catalog/governance/crosscheck"
	"instruction-catalog/governance/report"
)

// The rules about a catalog and its files.
const (
	NoEntries  report.Rule = source.NoEntries
	Drift      report.Rule = "drift"
	GateFailed report.Rule = "gate-failed" // the catalog fails a gate
	GateBroken report.Rule = "gate-broken" // a gate cannot be evaluated
	SumBroken  report.Rule = "sum/broken"
	SumChanged report.Rule = "sum/changed"
	SumRemoved report.Rule = "sum/removed"
	SumAdded   report.Rule = "sum/added"
	Unsigned   report.Rule = "signature/missing"
)

// Rules returns the documentation of all rules except those of the criteria, sorted by id.
func Rules() []report.RuleDoc {
	all := slices.Concat(ofCatalogs, ofFiles, ofSilence, crosscheck.Rules, crosscheck.FileRules)
	slices.SortFunc(all, func(a, b report.RuleDoc) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

var ofCatalogs = []report.RuleDoc{
	{
		ID: NoEntries, Severity: report.Warning, Finds: "A catalog has no entry. The run fails, unless --allow-empty is given.",
		Hit: "An empty folder.", NearMiss: "A folder with one file of instructions.", Repair: "Name the folder of the catalog, or write an entry.",
	},
	{
		ID: Drift, Severity: report.Error, Finds: "A body does not match its recorded hash.",
		Hit: "A changed body below an old hash.", NearMiss: "An entry without a recorded hash.",
		Repair: "Review the change, then run catalog hash --write.",
	},
	{
		ID: GateFailed, Severity: report.Error, Finds: "The catalog does not meet a gate of gates.json.",
		Hit: "An entry without an owner, where a gate asks for owners.", NearMiss: "A gate that holds.",
		Repair: "Change the entries that the message names, or the gate.",
	},
	{
		ID: GateBroken, Severity: report.Error, Finds: "A gate, or gates.json, cannot be understood.",
		Hit: `"op": "sun"`, NearMiss: `"op": "sum"`, Repair: "Correct the gate; catalog gates shows each.",
	},
	{
		ID: SumBroken, Severity: report.Error, Finds: "catalog.sum, or a file that it is checked against, cannot be read.",
		Hit: "A line that is not a hash.", NearMiss: "No catalog.sum.", Repair: "Restore the file, or run catalog lock.",
	},
	{
		ID: SumChanged, Severity: report.Error, Finds: "An entry, gates.json or PROMPT-CRITERIA.json has changed since catalog.sum was written.",
		Hit: "A changed body.", NearMiss: "The same after catalog lock.", Repair: "Review the change, then run catalog lock.",
	},
	{
		ID: SumRemoved, Severity: report.Error, Finds: "An entry, or gates.json, was removed since catalog.sum was written.",
		Hit: "A deleted file.", NearMiss: "The same after catalog lock.", Repair: "Review the change, then run catalog lock.",
	},
	{
		ID: SumAdded, Severity: report.Error, Finds: "An entry, gates.json or PROMPT-CRITERIA.json was added since catalog.sum was written.",
		Hit: "A new file.", NearMiss: "The same after catalog lock.", Repair: "Review the file, then run catalog lock.",
	},
	{
		ID: Unsigned, Severity: report.Error, Finds: "A catalog is not signed with the required key.",
		Hit: "--pubkey, and no catalog.sum.note.", NearMiss: "The same after catalog sign.", Repair: "Run catalog lock and catalog sign.",
	},
}

// ofSilence documents the rules about suppressions, the configuration and the baseline.
var ofSilence = []report.RuleDoc{
	{
		ID: NoReason, Severity: report.Error, Finds: "A comment catalog:ignore has no reason.",
		Hit: "<!-- catalog:ignore link/dead -->", NearMiss: "<!-- catalog:ignore link/dead made by the build -->",
		Repair: "Say why the finding is acceptable.",
	},
	{
		ID: Unused, Severity: report.Warning, Finds: "A comment catalog:ignore silences nothing.",
		Hit:      "A comment for link/dead before a paragraph whose links all lead somewhere.",
		NearMiss: "A comment for a rule that this run does not look for.", Repair: "Remove the comment.",
	},
	{
		ID: UnknownRule, Severity: report.Warning, Finds: "The configuration changes a rule that does not exist.",
		Hit: `"rules": {"dead-link": "off"}`, NearMiss: `"rules": {"link/": "note"}`, Repair: "Name a rule that catalog rules lists.",
	},
	{
		ID: Expired, Severity: report.Note, Finds: "The change of a rule has expired.",
		Hit: `"until": "2020-01-31"`, NearMiss: "A date that has not passed in UTC.",
		Repair: "Remove the change, or give it a later date.",
	},
	{
		ID: NotObeyed, Severity: report.Note, Finds: "The repository is untrusted, and its settings would hide findings.",
		Hit: `"review": "none", checked with --untrusted`, NearMiss: "The same, checked without --untrusted.",
		Repair: "Check what is silenced, and why.",
	},
	{
		ID: NotRead, Severity: report.Note, Finds: "A configuration is below the top of the repository.",
		Hit: "packages/a/.catalog/config.json", NearMiss: ".catalog/config.json", Repair: "Move its settings to the top.",
	},
	{
		ID: StaleBaseline, Severity: report.Warning, Finds: "A finding of the baseline is gone.",
		Hit: "A line for a link that was fixed.", NearMiss: "A line for a finding that this run does not look for.",
		Repair: "Write the baseline again.",
	},
}
