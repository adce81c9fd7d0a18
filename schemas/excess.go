package schemas

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Limits that are checked before the schema, and the message for a number outside them.
// The library converts every number to an exact fraction. For 1e999999999 it panics or
// allocates gigabytes of digits.
const (
	maxNumber   = 400    // maximum length of a number in characters, and maximum absolute exponent
	maxMembers  = 10_000 // maximum number of members per object
	numberAsked = "is a number too long or too large to be read exactly: write one between -1e308 and 1e308 in fewer digits"
)

// excesses returns the parts of value that exceed the limits, at most [MaxIssues].
func excesses(value any) []Issue {
	var found []Issue
	collect(value, nil, &found)
	return found
}

func collect(value any, at []step, found *[]Issue) {
	if len(*found) >= MaxIssues {
		return
	}
	switch v := value.(type) {
	case json.Number:
		if !readableNumber(string(v)) {
			*found = append(*found, Issue{Path: render(at), Message: numberAsked})
		}
	case []any:
		for i, element := range v {
			collect(element, append(at, step{Index: i, IsIndex: true}), found)
		}
	case map[string]any:
		if len(v) > maxMembers {
			message := fmt.Sprintf("has %d members: at most %d are read", len(v), maxMembers)
			*found = append(*found, Issue{Path: render(at), Message: message})
			return
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			collect(v[key], append(at, step{Name: key}), found)
		}
	}
}

// readableNumber reports whether a JSON number is finite as a float64 and small enough
// to be processed as an exact fraction.
func readableNumber(text string) bool {
	if len(text) > maxNumber {
		return false
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if exponent, err := strconv.Atoi(text[i+1:]); err != nil || exponent < -maxNumber || exponent > maxNumber {
			return false
		}
	}
	_, err := strconv.ParseFloat(text, 64)
	return err == nil
}
