package gates

import (
	"fmt"
	"strconv"
	"strings"
)

// Condition returns the computed figure and the required value: "3 >= 5".
func (g Result) Condition() string {
	switch {
	case g.Error != "":
		return g.Error
	case g.Actual != nil:
		return fmt.Sprintf("%s %s %s", g.actual(), g.Op, g.Value)
	}
	return fmt.Sprintf("%d %s %s", g.Count, g.Op, g.Value)
}

// actual returns the computed figure with 15 digits, because 0.1 and 0.2 add up to slightly
// more than 0.3. It returns all digits if the gate failed because of those beyond the 15th.
func (g Result) actual() string {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(*g.Actual, 'g', 15, 64), 64) // cannot fail: the text is a formatted number
	if value, err := g.Value.Float64(); !g.Passed && err == nil && rounded == value {
		rounded = *g.Actual
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}

// OffenderList lists the entries that made a gate fail: "a, b and 3 more". It returns "" if
// there are none.
func (g Result) OffenderList() string {
	names := make([]string, len(g.Offenders))
	for i, id := range g.Offenders {
		names[i] = string(id)
	}
	listed := strings.Join(names, ", ")
	switch more := int(g.Count) - len(names); {
	case len(names) < MaxOffenders || g.Actual == nil && more == 0:
		return listed
	case g.Actual == nil:
		return fmt.Sprintf("%s and %d more", listed, more)
	}
	return listed + " and perhaps more"
}
