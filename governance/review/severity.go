package review

import "slices"

// Severity is the severity of breaking a rule.
type Severity string

// The severities, worst first.
const (
	Critical Severity = "critical"
	High     Severity = "high"
	Medium   Severity = "medium"
	Low      Severity = "low"
	Info     Severity = "info"
)

// None is a threshold that no severity reaches.
const None Severity = "none"

// Severities returns every severity, worst first.
func Severities() []Severity { return []Severity{Critical, High, Medium, Low, Info} }

// Compare returns a negative number if s is worse than t, a positive number if t is
// worse than s, and 0 if they are equal.
func (s Severity) Compare(t Severity) int {
	return slices.Index(Severities(), s) - slices.Index(Severities(), t)
}

// AtLeast reports whether s is at least as severe as the threshold t. It is false for
// [None].
func (s Severity) AtLeast(t Severity) bool { return t != None && s.Compare(t) <= 0 }

// Counts is the number of issues of each severity.
type Counts struct {
	Critical int `json:"critical,omitempty"`
	High     int `json:"high,omitempty"`
	Medium   int `json:"medium,omitempty"`
	Low      int `json:"low,omitempty"`
	Info     int `json:"info,omitempty"`
}

func (c *Counts) add(s Severity) {
	switch s {
	case Critical:
		c.Critical++
	case High:
		c.High++
	case Medium:
		c.Medium++
	case Low:
		c.Low++
	case Info:
		c.Info++
	}
}
