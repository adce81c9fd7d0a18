package format

import (
	"math"
	"strconv"
	"strings"

	"instruction-catalog/catalog"
	"instruction-catalog/schemas/jsonscan"
)

// priorityWords maps words that people write instead of a priority to its number.
var priorityWords = map[string]int{
	"p0": 5, "critical": 5, "highest": 5, "urgent": 5,
	"p1": 10, "high": 10,
	"p2": 30,
	"p3": 50, "medium": 50, "normal": 50, "default": 50,
	"p4": 80, "low": 80,
	"lowest": 95,
}

func readPriority(n *normaliser, f field) {
	n.entry.Priority = catalog.DefaultPriority
	if !n.hasOr(f, strconv.Itoa(catalog.DefaultPriority)) {
		return
	}
	if !isNumeric(f.value) {
		word := strings.ToLower(strings.TrimSpace(f.value.text))
		if n.entry.Priority = priorityWords[word]; f.value.kind != text || n.entry.Priority == 0 {
			n.fail(FieldValue, f, "%s is not a number: write an integer from 1 (highest) to 100", f.value)
			return
		}
		n.taken(f, strconv.Itoa(n.entry.Priority))
		return
	}
	priority, ok := integerOf(f.value)
	switch {
	case !ok || priority < catalog.HighestPriority || priority > catalog.LowestPriority:
		n.warn(FieldCoerced, f, "%s is not an integer from 1 to 100: it is read as %d", f.value, catalog.DefaultPriority)
		return
	case f.value.kind == text:
		n.taken(f, strconv.FormatInt(priority, 10))
	}
	n.entry.Priority = int(priority)
}

func readReviewInterval(n *normaliser, f field) {
	if !n.has(f) {
		return
	}
	days, ok := integerOf(f.value)
	switch {
	case !isNumeric(f.value) || !ok || days < 0 || days > math.MaxInt32:
		n.fail(FieldValue, f, "%s is not a number of days: write an integer from 0", f.value)
		return
	case f.value.kind == text:
		n.taken(f, strconv.FormatInt(days, 10))
	}
	n.entry.ReviewIntervalDays = new(int(days))
}

func readUsageCount(n *normaliser, f field) {
	if !n.has(f) {
		return
	}
	count, ok := integerOf(f.value)
	if f.value.kind != number || !ok || count < 0 {
		n.fail(FieldValue, f, "%s is not a count: write an integer from 0", f.value)
		return
	}
	n.entry.UsageCount = count
}

// checkNumbers checks the numbers in a JSON value that is served as written. Many
// clients would reject the whole answer for a number that does not fit a float64 (RFC
// 8259, section 6).
func (n *normaliser) checkNumbers(f field, served []byte) {
	if literal := unreadable(served); literal != "" {
		n.fail(FieldValue, f, "the number %s is too long or too large for most readers: put it in quotes", value{kind: number, text: literal})
	}
}

// unreadable returns the first number in a JSON value for which isReadable is false, or
// "".
func unreadable(served []byte) string {
	for d := jsonscan.NewDecoder(served); ; {
		token, err := d.ReadToken()
		switch {
		case err != nil: // the end of the value
			return ""
		case token.Kind() == '0' && !isReadable(token.String()):
			return token.String()
		}
	}
}

// maxDigits is the maximum length of a number in characters, and the maximum absolute
// value of its exponent.
const maxDigits = 400

// isReadable reports whether a number is short and finite as a float64. The check
// against the contract requires the same.
func isReadable(literal string) bool {
	if len(literal) > maxDigits {
		return false
	}
	if i := strings.IndexAny(literal, "eE"); i >= 0 {
		if exponent, err := strconv.Atoi(literal[i+1:]); err != nil || exponent < -maxDigits || exponent > maxDigits {
			return false
		}
	}
	_, err := strconv.ParseFloat(literal, 64)
	return err == nil
}

// isNumeric reports whether a value is a number, or a text that contains only a number.
func isNumeric(v value) bool {
	return v.kind == number || v.kind == text && isJSONNumber(strings.TrimSpace(v.text))
}

// integerOf returns the integer value of a number in any notation: 30, 30.0 and 3e1 are
// the same. It returns false if the number is not an integer, or is too large to be
// exact.
func integerOf(v value) (int64, bool) {
	literal := strings.TrimSpace(v.text)
	if i, err := strconv.ParseInt(literal, 10, 64); err == nil {
		return i, true
	}
	const exact = 1 << 53 // above this, not every integer is a float64
	x, err := strconv.ParseFloat(literal, 64)
	if err != nil || x != math.Trunc(x) || math.Abs(x) > exact {
		return 0, false
	}
	return int64(x), true
}
