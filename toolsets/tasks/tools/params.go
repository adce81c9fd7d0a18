package tools

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"instruction-catalog/toolsets/tasks"
)

// params holds the params of one call, by exact name. err keeps the first error. After
// an error, the accessors may return zero values.
type params struct {
	members map[string]json.RawMessage
	pinned  bool // the server sets user_id, so clients are not told of it
	err     error
}

// read parses params. It records an error if they are not an object.
func (t *toolset) read(raw json.RawMessage) *params {
	p := &params{pinned: t.Authenticated}
	if json.Unmarshal(raw, &p.members) != nil {
		p.fail("the params must be an object: pass them by name")
	}
	return p
}

func (p *params) fail(text string) {
	if p.err == nil {
		p.err = &tasks.InvalidError{Text: text}
	}
}

// only records an error if there is a param that is not in names.
func (p *params) only(names ...string) *params {
	for _, name := range slices.Sorted(maps.Keys(p.members)) {
		if !slices.Contains(names, name) {
			known := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return p.pinned && n == "user_id" })
			p.fail("unknown parameter " + strconv.Quote(name) + ": the known ones are " + strings.Join(known, ", "))
		}
	}
	return p
}

// text returns a string param, or nil if it is missing or null.
func (p *params) text(name string) *string {
	var text *string
	if raw, given := p.members[name]; given && json.Unmarshal(raw, &text) != nil {
		p.fail(name + " must be a string")
	}
	return text
}

func (p *params) user() tasks.UserID {
	user, err := tasks.NewUserID(orEmpty(p.text("user_id")))
	if p.err == nil {
		p.err = err
	}
	return user
}

// key returns the idempotency key, or "" if it is missing or null.
func (p *params) key() tasks.Key {
	text := p.text("idempotency_key")
	if text == nil {
		return ""
	}
	key, err := tasks.NewKey(*text)
	if p.err == nil {
		p.err = err
	}
	return key
}

// count returns an integer param from 1 to most, or 0 if it is missing or null.
func (p *params) count(name string, most int64) int {
	raw, given := p.members[name]
	if !given || string(raw) == "null" {
		return 0
	}
	n := integer(raw)
	if n < 1 || n > most {
		p.fail(fmt.Sprintf("%s must be a whole number from 1 to %d", name, most))
	}
	return int(n)
}

func (p *params) task() tasks.TaskID {
	id, err := tasks.NewTaskID(integer(p.members["task_id"]))
	if p.err == nil {
		p.err = err
	}
	return id
}

// integer parses an integer in any notation that JSON Schema accepts, such as 10.0 and
// 1e1. It returns 0 for anything else. It works on the digits, because a float64 would
// round large values.
func integer(raw json.RawMessage) int64 {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(string(raw)), "e")
	shift, err := strconv.Atoi(cmp.Or(exponent, "0"))
	if err != nil {
		return 0
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimRight(whole+fraction, "0")
	zeros := len(whole) + shift - len(digits) // between the digits and the point
	if zeros < 0 || zeros > 18 {
		return 0
	}
	n, err := strconv.ParseInt(digits+strings.Repeat("0", zeros), 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
