package review

import "slices"

// Severity says how bad it is that a prompt breaks a rule.
type Severity string

// The severities of a rule, worst first.
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

// Compare returns a negative number where s is worse than t, a positive one
// where t is worse than s, and 0 where they are the same.
func (s Severity) Compare(t Severity) int {
	return slices.Index(Severities(), s) - slices.Index(Severities(), t)
}

// AtLeast reports whether s is as bad as the threshold t, or worse. Nothing is at least
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
