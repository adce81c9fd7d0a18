package report

// Suppressed is a finding that somebody has silenced.
type Suppressed struct {
	Finding
	By Silencer `json:"suppressedBy"`
}

// Silencer is what silenced a finding: a comment in a text, or a line of the
// configuration.
type Silencer struct {
	Place
	Reason string `json:"reason"`
}
