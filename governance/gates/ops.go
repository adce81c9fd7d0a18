package gates

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// allOps are the ops of conditions.
var allOps = []string{"eq", "ne", "lt", "le", "gt", "ge", "in", "contains", "matches", "exists", "olderThan"}

// kinds describes each kind of field for error messages.
var kinds = map[kind]string{
	text: "a text", word: "one of a few words", number: "a number", instant: "a time", list: "a list", opaque: "no single value",
}

func commas(words []string) string { return strings.Join(words, ", ") }

// test returns a predicate for the values of a column.
type test = func(*column, moment) predicate

// testOf returns the test of an op with a value, for a field that accepts the op. The error
// text continues "the value …".
func testOf(f field, op string, value json.RawMessage) (test, error) {
	switch op {
	case "exists":
		return testOfExists(value)
	case "in":
		return testOfIn(f, value)
	case "contains":
		return testOfContains(f, value)
	case "matches":
		return testOfMatches(value)
	case "olderThan":
		return testOfAge(value)
	case "ne":
		equal, err := testOfOne(f, "eq", value)
		return func(c *column, m moment) predicate { return not(equal(c, m)) }, err
	}
	return testOfOne(f, op, value)
}

// testOfOne returns the test of an op that compares with one value.
func testOfOne(f field, op string, value json.RawMessage) (test, error) {
	if f.kind == text || f.kind == word {
		wanted, err := textOf(f, value)
		return is(wanted), err
	}
	limit, err := numberOf(f, value)
	switch op {
	case "lt":
		return ofNumbers(func(n float64) bool { return n < limit }), err
	case "le":
		return ofNumbers(func(n float64) bool { return n <= limit }), err
	case "gt":
		return ofNumbers(func(n float64) bool { return n > limit }), err
	case "ge":
		return ofNumbers(func(n float64) bool { return n >= limit }), err
	}
	return ofNumbers(func(n float64) bool { return n == limit }), err
}

// ofTexts returns a test that calls holds once for each distinct text. An entry without the
// field does not match.
func ofTexts(holds func(string) bool) test {
	return func(c *column, _ moment) predicate {
		found, codes := make([]bool, len(c.values)), c.codes
		for code, value := range c.values {
			found[code] = code > 0 && holds(value)
		}
		return func(i int) bool { return found[codes[i]] }
	}
}

func is(wanted string) test { return ofTexts(func(s string) bool { return s == wanted }) }

// ofNumbers returns a test of numbers. holds must return false for NaN, which represents an
// entry without the field.
func ofNumbers(holds func(float64) bool) test {
	return func(c *column, _ moment) predicate {
		values := c.numbers
		return func(i int) bool { return holds(values[i]) }
	}
}

func testOfExists(value json.RawMessage) (test, error) {
	var wanted *bool
	if err := json.Unmarshal(value, &wanted); err != nil || wanted == nil {
		return nil, errors.New("must be true or false")
	}
	if *wanted {
		return func(c *column, _ moment) predicate { return c.has() }, nil
	}
	return func(c *column, _ moment) predicate { return not(c.has()) }, nil
}

func testOfIn(f field, value json.RawMessage) (test, error) {
	var values []json.RawMessage
	if err := json.Unmarshal(value, &values); err != nil || len(values) == 0 {
		return nil, errors.New("must be a list with at least one value")
	}
	if f.kind == number {
		wanted, err := readAll(f, values, numberOf)
		return ofNumbers(func(n float64) bool { return slices.Contains(wanted, n) }), err
	}
	wanted, err := readAll(f, values, textOf)
	slices.Sort(wanted)
	return ofTexts(func(s string) bool { _, found := slices.BinarySearch(wanted, s); return found }), err
}

// readAll returns the results of read for each of the values.
func readAll[T any](f field, values []json.RawMessage, read func(field, json.RawMessage) (T, error)) (all []T, err error) {
	all = make([]T, len(values))
	for i, v := range values {
		if all[i], err = read(f, v); err != nil {
			return nil, fmt.Errorf("must be a list in which each %w", err)
		}
	}
	return all, nil
}

// testOfContains returns a test for a substring of a text, or for an item of a list.
func testOfContains(f field, value json.RawMessage) (test, error) {
	wanted, err := textOf(field{}, value)
	if f.kind == list {
		return func(c *column, _ moment) predicate {
			return func(i int) bool { return slices.Contains(c.lists[i], wanted) }
		}, err
	}
	return ofTexts(func(s string) bool { return strings.Contains(s, wanted) }), err
}

func testOfMatches(value json.RawMessage) (test, error) {
	pattern, err := textOf(field{}, value)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("must be a regular expression in RE2 syntax: %w", err)
	}
	return ofTexts(re.MatchString), nil
}

// testOfAge returns a test for instants that are older than value, a number of days such as
// "90d".
func testOfAge(value json.RawMessage) (test, error) {
	const maxDigits, day = 6, 24 * 60 * 60
	wanted, err := textOf(field{}, value)
	digits, found := strings.CutSuffix(wanted, "d")
	if err != nil || !found || digits == "" || len(digits) > maxDigits || strings.Trim(digits, "0123456789") != "" {
		return nil, errors.New(`must be a number of days, such as "90d"`)
	}
	days, err := strconv.Atoi(digits)
	return func(c *column, m moment) predicate {
		values, latest := c.numbers, m.now-float64(days)*day
		return func(i int) bool { return values[i] < latest }
	}, err
}

// textOf decodes a text to compare with. For a field of kind word, it must be one of the
// possible values.
func textOf(f field, value json.RawMessage) (string, error) {
	var s *string
	err := json.Unmarshal(value, &s)
	switch {
	case err != nil || s == nil:
		return "", errors.New("must be a string")
	case *s == "":
		return "", errors.New("must not be empty: exists with false finds missing values")
	case f.kind == word && !slices.Contains(f.words, *s):
		return "", fmt.Errorf("must be one of: %s", commas(f.words))
	}
	return *s, nil
}

// numberOf decodes a value to compare with a number or an instant.
func numberOf(f field, value json.RawMessage) (float64, error) {
	if f.kind == number {
		var n *float64
		if err := json.Unmarshal(value, &n); err != nil || n == nil {
			return 0, errors.New("must be a number")
		}
		return *n, nil
	}
	stamp, err := textOf(field{}, value)
	if err == nil {
		for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
			if at, err := time.Parse(layout, stamp); err == nil {
				return seconds(at), nil
			}
		}
	}
	return 0, errors.New("must be a time, such as 2025-01-31 or 2025-01-31T09:30:00Z")
}
