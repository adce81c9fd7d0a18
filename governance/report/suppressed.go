package report

// Suppressed is a finding that a comment or the configuration suppresses.
type Suppressed struct {
	Finding
	By Silencer `json:"suppressedBy"`
}

// Silencer identifies what suppressed a finding: a comment in a text, or the configuration.
type Silencer struct {
	Place
	Reason string `json:"reason"`
}
