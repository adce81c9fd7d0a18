package report

import (
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
)

// The objects of SARIF 2.1.0 that a report uses, with the names of the standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool           `json:"tool"`
		ColumnKind string              `json:"columnKind"`
		Results    []sarifResult       `json:"results"`
		Properties map[string][]string `json:"properties,omitempty"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID         Rule              `json:"id"`
		About      *sarifMessage     `json:"shortDescription,omitempty"`
		Help       *sarifMessage     `json:"help,omitempty"`
		Properties map[string]string `json:"properties,omitempty"`
	}
	sarifResult struct {
		RuleID       Rule              `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        Severity          `json:"level"` // SARIF has the same values
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Related      []sarifLocation   `json:"relatedLocations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifLocation struct {
		ID       int           `json:"id,omitempty"`
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	sarifRegion struct {
		StartLine int `json:"startLine"`
	}
)

const (
	sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	// sourceRoot is the base id that SARIF consumers resolve to the root of the checkout.
	sourceRoot = "%SRCROOT%"
	// fingerprintName is the name and version of the fingerprints.
	fingerprintName = "catalogFinding/v1"
)

func (r Report) sarif(w io.Writer) error {
	rules, results := []sarifRule{}, []sarifResult{}
	for _, f := range r.Findings {
		id := Rule(OneLine(string(f.Rule)))
		index := slices.IndexFunc(rules, func(r sarifRule) bool { return r.ID == id })
		if index < 0 {
			index = len(rules)
			rules = append(rules, r.sarifRule(id))
		}
		results = append(results, f.sarif(id, index))
	}
	var properties map[string][]string
	if r.Criteria != nil {
		properties = map[string][]string{"criteria": r.Criteria}
	}
	return writeJSON(w, sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{{
		Tool:       sarifTool{sarifDriver{Name: "catalog", Version: r.Version, Rules: rules}},
		ColumnKind: "unicodeCodePoints", Results: results, Properties: properties,
	}}})
}

// sarifRule returns the documentation of a rule, or only its id if the report has none.
func (r Report) sarifRule(id Rule) sarifRule {
	i := slices.IndexFunc(r.Rules, func(d RuleDoc) bool { return d.ID == id })
	if i < 0 {
		return sarifRule{ID: id}
	}
	d := r.Rules[i]
	rule := sarifRule{ID: id, About: &sarifMessage{sarifText(d.Finds)}, Help: &sarifMessage{sarifText(d.Help())}}
	if d.Risk > 0 {
		rule.Properties = map[string]string{"security-severity": fmt.Sprintf("%.1f", d.Risk)}
	}
	return rule
}

func (f Finding) sarif(rule Rule, index int) sarifResult {
	result := sarifResult{
		RuleID: rule, RuleIndex: index, Level: f.Severity,
		Message:   sarifMessage{sarifText(f.Message)},
		Locations: []sarifLocation{f.Place.sarif()}, Fingerprints: map[string]string{fingerprintName: f.Fingerprint()},
	}
	for i, p := range f.Related {
		location := p.sarif()
		location.ID = i + 1
		result.Related = append(result.Related, location)
	}
	return result
}

// sarif returns the place as a location. Its line is at least 1, because consumers expect a
// line.
func (p Place) sarif() sarifLocation {
	artifact := sarifArtifact{URI: (&url.URL{Path: p.Path}).String(), Base: sourceRoot}
	if strings.HasPrefix(p.Path, "/") { // an absolute path has no base
		artifact = sarifArtifact{URI: (&url.URL{Scheme: "file", Path: p.Path}).String()}
	}
	return sarifLocation{Physical: sarifPhysical{artifact, sarifRegion{max(p.Line, 1)}}}
}

// noLinks escapes the characters of SARIF links.
var noLinks = strings.NewReplacer(`\`, `\\`, `[`, `\[`, `]`, `\]`)

// sarifText returns s as SARIF message text. It escapes brackets, because viewers would
// turn them into links.
func sarifText(s string) string {
	if s = OneLine(s); strings.Contains(s, "[") {
		return noLinks.Replace(s)
	}
	return s
}
